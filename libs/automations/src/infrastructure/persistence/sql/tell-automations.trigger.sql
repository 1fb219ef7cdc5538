-- In a file apart from the functions: installing a trigger briefly locks its table against writers; replacing a function does
-- not.
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_contacts();
CREATE OR REPLACE TRIGGER tell_automations_of_values AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_values();
CREATE OR REPLACE TRIGGER tell_automations_of_changes AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS added OLD TABLE AS earlier
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_values();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON segment_contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_members();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON contact_topics REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_topics();
CREATE OR REPLACE TRIGGER tell_automations_of_changes AFTER UPDATE ON contact_topics REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_topics();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON team_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_received();
CREATE OR REPLACE TRIGGER note_awaited_events AFTER INSERT ON automation_versions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_awaited_events();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON inbound_route_results REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_routes();
