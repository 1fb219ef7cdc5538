import { SendEmailRequest } from '#emails';
import { decodeBody } from '#http/server';
import { Example, Flag, PickOf, Shape } from '#http/openapi';
import type { DryRunOptions } from '../../application/dry-run-email.use-case.js';

@Shape('An email to try, as `POST /emails` takes it.')
@Example('simple', 'An email with html and text', {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your order is on its way',
  html: '<p>It arrives on <b>Friday</b>.</p>',
  text: 'It arrives on Friday.',
})
@Example('template', 'A stored template with values', {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  template: { id: '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6', variables: { NAME: 'Ada', ORDER: 1042 } },
})
@Example('links', 'An email whose links are asked for', {
  from: 'Acme <hello@acme.example>',
  to: ['ada@customer.example'],
  subject: 'Your order is on its way',
  html: '<p>It arrives on <a href="https://www.acme.example/orders/1042">Friday</a>.</p>',
  check_links: true,
})
export class DryRunEmailRequest extends SendEmailRequest {
  @Flag(
    'Whether the links of the html are asked for, at most 50 of them, for the check `dead_links`. Links to unsubscribe ' +
      'and tracked links are left out.',
    { optional: true, default: false },
  )
  check_links?: boolean;
}

/** The fields of the email alone are left to `decodeSendRequest`. */
class LinkChoice extends PickOf(DryRunEmailRequest, 'check_links') {}

export function decodeDryRunOptions(body: unknown): DryRunOptions {
  return { asksLinks: decodeBody(LinkChoice, body).check_links === true };
}
