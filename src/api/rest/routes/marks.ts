/** Marks. A change may name the revision that it is of, in `If-Match`. */
import * as Marks from "../../../operations/marks.ts"
import { del, get, put, routes } from "../route.ts"

export const marks = routes("marks", {
  session: get("/marks/sessions/:session_id", Marks.session, {
    summary: "Read what users say about a session",
    description: "Returns the session's mark: note, tags and names; null where it says nothing."
  }),
  putSession: put("/marks/sessions/:session_id", Marks.putSession, {
    ifMatch: "revision",
    payload: Marks.SessionMarkBody,
    takes: (sessionMark) => ({ sessionMark }),
    summary: "Correct a session's names, note it and tag it",
    description:
      "Replaces the session's mark. Its names are those of the session from then on, in lists, filters, statistics and rankings; what the simulator reported stays stored. A name that is null or left out is the reported one. With If-Match: REVISION, a mark of another revision is not changed (409)."
  }),
  deleteSession: del("/marks/sessions/:session_id", Marks.deleteSession, {
    ifMatch: "revision",
    summary: "Take back what users say about a session",
    description: "The session has its reported names again. If-Match as for PUT."
  })
})
