-- The address of a mailbox such as `Ada <ada@example.com>`, in lower case.
CREATE OR REPLACE FUNCTION automation_address(mailbox text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(trim(coalesce(substring(mailbox FROM '<([^<>]*)>[^<>]*$'), mailbox)))
$$;
