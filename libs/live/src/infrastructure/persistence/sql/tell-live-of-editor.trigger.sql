-- In a file apart from the function: installing a trigger briefly locks the tables against writers; replacing a function does not.
CREATE OR REPLACE TRIGGER tell_live_of_new AFTER INSERT ON editor_versions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_changes AFTER UPDATE ON editor_versions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_arrivals AFTER INSERT ON editor_presences REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_leavings AFTER DELETE ON editor_presences REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_cursors AFTER UPDATE ON editor_presences REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_cursors();
