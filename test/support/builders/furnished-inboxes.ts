import { SmtpDialogue } from '../clients/smtp-dialogue.js';
import { until } from '../runner/until.js';
import type { DashboardWorld } from './dashboard-world.js';

export interface FurnishedInbox {
  readonly inboxId: string;
  readonly orderThreadId: string;
}

/** An email as the host of its author gives it. */
export function letter(
  from: string,
  to: string,
  subject: string,
  text: string,
  headers: readonly string[] = [],
): string {
  const id = `${subject.toLowerCase().replaceAll(/[^a-z]+/g, '-')}${text.length}@harbour.test`;
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: <${id}>`, ...headers];
  if (!headers.some((header) => header.startsWith('Content-Type')))
    head.push('Content-Type: text/plain; charset=utf-8');
  return [...head, '', ...text.split('\n'), ''].join('\r\n');
}

/** Gives a message to the program over SMTP, as a host of the internet does. */
export async function arrive({ program }: DashboardWorld, to: string, message: string): Promise<void> {
  const port = program.postrider.smtp.listening.find(({ isMx }) => isMx)?.port ?? 0;
  const client = await SmtpDialogue.open(port);
  await client.ask('EHLO mx1.harbour.test');
  const reply = await client.submit('bounces@harbour.test', to, message);
  client.drop();
  if (!reply.startsWith('250')) throw new Error(reply);
}

interface Listed {
  readonly data: readonly { readonly id: string; readonly subject: string }[];
}

const withFile = `--b
Content-Type: text/html; charset=utf-8

<div style="font-family:Helvetica,Arial,sans-serif;color:#17171c;padding:16px"><p>Hello,</p><p>the parcel came on <b>Friday</b>,
and one cup is broken. A photo is attached.</p><p>Could you send a new one?</p><p>Ada</p></div>
--b
Content-Type: image/jpeg
Content-Disposition: attachment; filename="broken-cup.jpg"
Content-Transfer-Encoding: base64

/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/
--b--`;

/** An inbox with threads, labels and a draft. `furnishPages` has made its domain before. */
export async function furnishInbox(world: DashboardWorld): Promise<FurnishedInbox> {
  const address = 'help@acme-mail.test';
  const ask = async <Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await world.program.request(`/inboxes${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const thread = (subject: string): Promise<string> =>
    until(
      async () => (await ask<Listed>('GET', `/${address}/threads`)).data.find((one) => one.subject === subject)?.id,
    );
  const { id: inboxId } = await ask('POST', '', { email_address: address, name: 'Help desk', from_name: 'Acme' });
  await ask('POST', '', { email_address: 'billing@acme-mail.test' });
  const letters = [
    [
      'Linus Pauling <linus@grey.test>',
      'Which plan do we need?',
      'Hello,\nwe are twelve people. Is the small plan enough?\nLinus',
    ],
    ['Grace Hopper <grace@meadow.test>', 'Invoice of October', 'Could you send the invoice once more?\nGrace'],
    ['Edsger Dijkstra <edsger@meadow.test>', 'Thank you', 'It works now. Thank you.\nEdsger'],
  ] as const;
  for (const [from, subject, text] of letters) await arrive(world, address, letter(from, address, subject, text));
  const isMixed = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
  const [ada, order] = ['Ada Lovelace <ada@harbour.test>', 'A cup is broken'];
  await arrive(world, address, letter(ada, `${address}, shop@acme-mail.test`, order, withFile, isMixed));
  const [invoiceId, orderThreadId, planId] = await Promise.all([
    thread('Invoice of October'),
    thread(order),
    thread('Which plan do we need?'),
  ]);
  const colors = { Urgent: '#d9622b', Billing: '#2f7fe0', Shop: '#2f9e6b' };
  const ids: string[] = [];
  for (const [name, color] of Object.entries(colors))
    ids.push((await ask('POST', `/${address}/labels`, { name, color })).id);
  await ask('PUT', `/${address}/threads/${orderThreadId}/labels`, { labels: [ids[0], ids[2]] });
  await ask('PUT', `/${address}/threads/${invoiceId}/labels`, { labels: [ids[1]] });
  await ask('PATCH', `/${address}/threads/${invoiceId}`, { read: true });
  const emails = await ask<Listed>('GET', `/${address}/threads/${orderThreadId}/emails`);
  const text = 'Hello Ada,\n\nwe are sorry. A new cup leaves our warehouse today.\n\nThe people of Acme';
  await ask('POST', `/${address}/threads/${orderThreadId}/emails/${emails.data[0]?.id}/reply`, { text });
  const thanks = letter(ada, address, `Re: ${order}`, 'That is kind. Should I send the broken one back?\n\nAda', [
    `In-Reply-To: <a-cup-is-broken${withFile.length}@harbour.test>`,
  ]);
  await arrive(world, address, thanks);
  const asked = await ask<Listed>('GET', `/${address}/threads/${planId}/emails`);
  const answers = { thread_id: planId, reply_to_email_id: asked.data[0]?.id };
  await ask('POST', `/${address}/drafts`, { text: 'Hello Linus, for twelve people', ...answers });
  const to = 'Katherine Johnson <katherine@meadow.test>';
  await ask('POST', `/${address}/drafts`, { to, subject: 'Your visit', text: 'Dear Katherine,' });
  return { inboxId, orderThreadId };
}
