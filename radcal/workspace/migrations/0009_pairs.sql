-- Schema 9: indexes, by which pairs are found by author and by report, and reports by patient and by author.

CREATE INDEX pairs_by_author ON pairs (author);
CREATE INDEX pairs_by_xray ON pairs (xray_id);
CREATE INDEX pairs_by_ct ON pairs (ct_id);
CREATE INDEX reports_by_patient ON reports (patient_id);
CREATE INDEX reports_by_author ON reports (author);
