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
  }),
  lap: get("/marks/laps/:lap_id", Marks.lap, {
    summary: "Read what users say about a lap",
    description: "Returns the lap's mark."
  }),
  putLap: put("/marks/laps/:lap_id", Marks.putLap, {
    ifMatch: "revision",
    payload: Marks.LapMarkBody,
    takes: (lapMark) => ({ lapMark }),
    summary: "Exclude a lap, correct its validity, note it and tag it",
    description:
      "Replaces the lap's mark. `excluded` leaves the lap out of bests, predictions, baselines and consistency; `valid` overrules the simulator. The lap's `valid_reported` keeps what the simulator said. Live clients get the lap again. With If-Match: REVISION, a mark of another revision is not changed (409)."
  }),
  deleteLap: del("/marks/laps/:lap_id", Marks.deleteLap, {
    ifMatch: "revision",
    summary: "Take back what users say about a lap",
    description: "The lap counts as the simulator reported it. If-Match as for PUT."
  })
})
