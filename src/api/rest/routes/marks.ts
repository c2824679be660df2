/** Marks. A change may name the revision that it is of, in `If-Match`. */
import * as AnomalyMarks from "../../../operations/anomalyMarks.ts"
import * as Marks from "../../../operations/marks.ts"
import * as Names from "../../../operations/names.ts"
import * as References from "../../../operations/references.ts"
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
  sessionRevisions: get("/marks/sessions/:session_id/revisions", Marks.sessionRevisions, {
    summary: "List what users said about a session before",
    description: "Returns earlier states of the session's mark, the newest first: at most 20."
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
  }),
  lapRevisions: get("/marks/laps/:lap_id/revisions", Marks.lapRevisions, {
    summary: "List what users said about a lap before",
    description: "Returns earlier states of the lap's mark, the newest first: at most 20."
  }),
  putAnomaly: put("/marks/anomalies/:session_id", AnomalyMarks.putAnomaly, {
    ifMatch: "revision",
    payload: AnomalyMarks.AnomalyMarkBody,
    takes: (anomalyMark) => ({ anomalyMark }),
    summary: "Dismiss an anomaly, or take that back",
    description:
      "The anomaly is left out of the session's anomalies. The mark is about the nearest anomaly of this type and channel in that lap, within 50 m. `dismissed: false` takes it back. If-Match as for a session's mark."
  }),
  list: get("/marks", AnomalyMarks.list, {
    summary: "List marks",
    description: "Lists marks by increasing id, in pages: `next` is the `after` of the next page."
  }),
  references: get("/references", References.list, {
    summary: "List reference laps",
    description:
      "Lists the laps that users chose to drive against; with names those that are for these names, the most special first: for a driver's vehicle, for a vehicle, for a driver, for the circuit."
  }),
  putReference: put("/references", References.put, {
    ifMatch: "revision",
    payload: References.ReferenceBody,
    takes: (reference) => ({ reference }),
    summary: "Make a lap the reference",
    description:
      "The live delta is against this lap for everyone on the circuit, or only in the vehicle, or only for the driver. Without a circuit it is that of the lap's session. The service does not remove the session to make room."
  }),
  deleteReference: del("/references", References.remove, {
    ifMatch: "revision",
    summary: "Delete a reference",
    description: "Returns the references that are left. It is no error if there was none."
  }),
  names: get("/marks/names", Names.list, {
    summary: "List readable names",
    description:
      "Lists readable names for raw ones that games report, such as ks_mazda_mx5_cup. Pages show them."
  }),
  putName: put("/marks/names/:raw", Names.put, {
    ifMatch: "revision",
    payload: Names.NameBody,
    takes: (readable) => ({ readable }),
    summary: "Give a raw name a readable one",
    description:
      "Sessions keep their raw names, by which filters and statistics go. Returns all readable names."
  }),
  deleteName: del("/marks/names/:raw", Names.remove, {
    ifMatch: "revision",
    summary: "Take back a readable name",
    description: "Returns all readable names."
  })
})
