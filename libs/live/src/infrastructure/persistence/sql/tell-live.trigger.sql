-- In a file apart from the functions: installing a trigger briefly locks both tables against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER tell_live AFTER INSERT ON email_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_email_events();
CREATE OR REPLACE TRIGGER tell_live AFTER INSERT ON team_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_team_events();
