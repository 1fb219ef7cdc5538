-- In a file apart from the function: installing a trigger briefly locks both tables against writers; replacing a function does not.
CREATE OR REPLACE TRIGGER tell_live AFTER UPDATE ON broadcasts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_broadcasts();
CREATE OR REPLACE TRIGGER tell_live AFTER UPDATE ON broadcast_progress REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_broadcasts();
