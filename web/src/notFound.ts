/** The page for an unknown path. The document has all of its text. */
import { applyTheme } from "./theme.ts"

applyTheme()
