/** Loaded first in threads that run from sources: `--import tsx` itself acts on the main thread only. */
import { register } from "tsx/esm/api"

register()
