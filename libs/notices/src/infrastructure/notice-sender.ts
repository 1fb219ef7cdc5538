import { Mailbox, parseMailbox } from '#kernel';
import { Config } from '#platform/config';

/** `NOTICES_FROM`, or with the sandbox an address of its domain, so that mail to users can be read in its inbox. */
export function noticeSender({ values }: Config): Mailbox | undefined {
  if (values.noticesFrom !== undefined || values.deliveryTransport !== 'sandbox') return values.noticesFrom;
  return parseMailbox('Postrider <postrider@sandbox.postrider.test>');
}
