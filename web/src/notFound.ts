/** The page for a path where there is nothing: it has all of its text itself. */
import { applyTheme } from "./theme.ts"

applyTheme()
