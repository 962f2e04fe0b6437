-- When a step was due as it opened, NULL where that is not known. Its deadline may be moved ahead
-- of this; who sent nothing by then had not the step's whole time.
ALTER TABLE step ADD COLUMN whole_at INTEGER;
