import { firstIdAt, newId } from '#kernel';
import type { HostileProgram } from '../programs/hostile-program.js';
import { SmtpDialogue } from '../clients/smtp-dialogue.js';
import { largeGraph, largePayload } from './large-automation.js';
import { testApiKey } from '../programs/program.js';
import { several } from '../runner/several.js';
import { until } from '../runner/until.js';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const pageOfItems = 100;

/** Values of path parameters that no list begins with, by the path up to the parameter. */
export type WorstValues = Readonly<Record<string, string>>;

/** Queries that operations need, by the id of the operation. */
export type WorstQueries = Readonly<Record<string, string>>;

/** Bodies of the operations that render or search, by the id of the operation. */
export type WorstBodies = Readonly<Record<string, unknown>>;

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * Stores what the attacking team may store at most, or enough of it to fill the largest page: large contents, many
 * rows, long histories. What the API takes goes through the API, so that its limits hold, and only rows that need hours
 * of sending are written to the tables.
 */
export async function storeWorstData(
  hostile: HostileProgram,
): Promise<{ values: WorstValues; queries: WorstQueries; bodies: WorstBodies }> {
  const store = new WorstData(hostile);
  await store.receivedMail();
  await store.inboxes();
  await store.contents();
  const contactId = await store.audience();
  const emailId = await store.emails();
  const inboxId = await store.drafts();
  const claimId = await store.claim();
  await store.others();
  await store.automations();
  const { templateId, versionId } = await store.document();
  const sectionId = await store.sections();
  const document = { resource_type: 'template', resource_id: templateId };
  const ofDocument = new URLSearchParams(document).toString();
  return {
    values: {
      '/editor/versions/{versionId}': versionId,
      '/editor/sections/{sectionId}': sectionId,
      '/editor/sections/{sectionId}/uses': sectionId,
      '/events/seen/{name}': encodeURIComponent('flood 11'),
      '/emails/{id}': emailId,
      '/inboxes/{inbox}': inboxId,
      '/contacts/{idOrEmail}': contactId,
      '/audiences/{id}/contacts/{idOrEmail}': contactId,
      '/domains/{id}/claim': claimId,
      '/domains/{id}/claims': claimId,
    },
    queries: { getEditorContent: ofDocument, listContentVersions: `limit=100&${ofDocument}` },
    bodies: {
      connectToEditor: document,
      renderDocument: { content: largestDocument },
      importHtml: { html: '<table><tr><td bgcolor="#112233"><p><b>a</b></p></td></tr></table>'.repeat(1_000) },
      tryAutomation: { ...largeGraph('flood', 20), payload: largePayload },
      previewTemplate: { variables: { V0: 'x'.repeat(150), V1: 'y' } },
      previewBroadcast: { email: 'a49900@x.test' },
      previewSegment: { filter: { type: 'and', rules: Array.from({ length: 20 }, slowRule) } },
      explainRoute: { recipient: 'x@attacker.test', headers: { Subject: 'x'.repeat(900) } },
      exportPersonalData: { email: 'a1@x.test' },
    },
  };
}

const slowRule = (_: unknown, n: number): object => ({
  type: 'rule',
  field: 'contact.email',
  operator: 'contains',
  value: `nobody ${n}`,
});

/** Rows of four columns, each with text of two nodes. */
const documentOf = (rows: number): object => ({
  type: 'doc',
  content: Array.from({ length: rows }, (_, n) => ({
    type: 'fourColumns',
    content: Array.from({ length: 4 }, () => ({
      type: 'columnsColumn',
      content: [
        {
          type: 'paragraph',
          attrs: { style: 'color: #112233; padding: 1px 2px 3px 4px' },
          content: [{ type: 'text', text: `{{{contact.p${n}|x}}} ${'x'.repeat(160)}`, marks: [{ type: 'bold' }] }],
        },
      ],
    })),
  })),
});

/** Nearly as many nodes as a document may have, and one whose HTML is nearly as large as that of a template may be. */
const [largestDocument, largestStored] = [documentOf(580), documentOf(200)];

class WorstData {
  private inboxId = '';

  constructor(private readonly hostile: HostileProgram) {}

  /**
   * Large templates and broadcasts with as many tags as they may have. Each change is in the audit log, with fields
   * that nobody reads.
   */
  async contents(): Promise<void> {
    const html = '<p>{{{V0}}}{{{V1|}}}</p>'.repeat(5_000).padEnd(megabyte - 10, 'x');
    const variables = ['V0', 'V1'].map((key) => ({ key, type: 'string', fallback_value: 'x' }));
    await several(12, async (n) => {
      const { id } = await this.post('/templates', { name: `Large ${n}`, html, text: 'x', variables, subject: 'x' });
      await this.post(`/templates/${id}/publish`, {});
    });
    const segment = await this.post('/segments', { name: 'Empty' });
    const broadcast = '<p>{{{FIRST_NAME|there}}}</p>'.repeat(9_999).padEnd(megabyte - 200, 'x');
    await several(12, async (n) => {
      await this.post('/broadcasts', {
        name: `Large ${n}`,
        segment_id: segment.id,
        from: this.hostile.attackerSender,
        subject: 'x',
        html: `${broadcast}{{{RESEND_UNSUBSCRIBE_URL}}}`,
      });
    });
    const junk = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`junk${n}`, 'x'.repeat(5 * kilobyte)]));
    const topic = await this.post('/topics', { name: 'Topic', default_subscription: 'opt_in', ...junk });
    await several(pageOfItems, (n) => this.send('PATCH', `/topics/${topic.id}`, { name: `Topic ${n}`, ...junk }));
  }

  /** Many contacts, a page of which have as many properties as they may have. Returns the id of one of these. */
  async audience(): Promise<string> {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, 'x'.repeat(1_900)]));
    for (const key of Object.keys(properties)) {
      await this.post('/contact-properties', { key, type: 'string', fallback_value: 'x'.repeat(500) });
    }
    const team = await this.teamId();
    const ids = firstIdAt(new Date());
    await this.hostile.query(
      `INSERT INTO contacts (id, team_id, email, first_name, properties, unsubscribed, created_at, updated_at)
       SELECT overlay($1 placing lpad(to_hex(n), 12, '0') from 25)::uuid, $2, 'a' || n || '@x.test', 'Ada',
              CASE WHEN n > 49800 THEN $3::jsonb ELSE '{}' END, false, now(), now()
       FROM generate_series(1, 50000) n`,
      [ids, team, JSON.stringify(properties)],
    );
    const { id } = await this.post('/contacts', { email: 'largest@x.test', first_name: 'Ada', properties });
    await several(pageOfItems, (n) => this.send('PATCH', `/contacts/${id}`, { first_name: `Ada ${n}` }));
    await several(pageOfItems, async (n) => {
      const rules = Array.from({ length: 20 }, slowRule);
      await this.post('/segments', { name: `Segment ${n}`, filter: { type: 'and', rules } });
    });
    const members = await this.post('/segments', { name: 'Members' });
    await this.hostile.query(
      `INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at)
       SELECT $1, id, team_id, now() FROM contacts WHERE team_id = $2`,
      [members.id, team],
    );
    await this.import();
    return id;
  }

  private async import(): Promise<void> {
    const form = new FormData();
    const rows = Array.from({ length: 20_000 }, (_, n) => `not an address ${n} ${'x'.repeat(100)}`).join('\r\n');
    form.append('file', new Blob([`email\r\n${rows}\r\n`]), 'rows.csv');
    const headers = { authorization: `Bearer ${this.hostile.attackerKey}` };
    const response = await fetch(`${this.hostile.program.url}/contacts/imports`, {
      method: 'POST',
      headers,
      body: form,
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Many emails, and a large one with many recipients, attachments and events. Returns the id of the large one. */
  async emails(): Promise<string> {
    const from = this.hostile.attackerSender;
    const many = Array.from({ length: 50 }, (_, n) => `reader${n}@nowhere.test`);
    const { id } = await this.post('/emails', {
      from,
      to: many,
      subject: 'x'.repeat(900),
      html: '<p>Hello</p>'.repeat(400_000),
      attachments: Array.from({ length: 60 }, (_, n) => ({
        filename: `${n}.txt`,
        content: Buffer.alloc(100 * kilobyte, 'x').toString('base64'),
      })),
    });
    await this.hostile.query(
      `INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
       SELECT $1, 1000 + n, 0, now(), 'email.clicked', $2::jsonb FROM generate_series(1, 3000) n`,
      [id, JSON.stringify({ click: { link: `https://x.test/${'x'.repeat(1_900)}`, userAgent: 'x'.repeat(500) } })],
    );
    await this.hostile.query(
      `INSERT INTO emails (id, team_id, domain_id, created_at, size, event_seq, last_event, message_id, "from", "to", subject, tags)
       SELECT uuidv7(n * interval '1 millisecond' - interval '1 minute'), team_id, domain_id, now(), 10, 1, 'delivered', 'm', "from",
              "to", left(subject, 900), NULL
       FROM emails, generate_series(1, 30000) n WHERE id = $1`,
      [id],
    );
    return id;
  }

  /** Mail that came in, one with a thousand attachments, and as many routes as a team may have. */
  async receivedMail(): Promise<void> {
    const domains = (await this.send('GET', '/domains')) as unknown as { data: [Item] };
    await this.send('PATCH', `/domains/${domains.data[0].id}`, {
      capabilities: { sending: 'enabled', receiving: 'enabled' },
    });
    this.inboxId = String((await this.post('/inboxes', { email_address: 'x@attacker.test' })).id);
    const part = (n: number): string =>
      `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${n}.txt"\r\n\r\nx\r\n`;
    const head = `From: a@customer.test\r\nTo: x@attacker.test\r\nSubject: ${'x'.repeat(900)}\r\nMIME-Version: 1.0\r\n`;
    const parts = Array.from({ length: 900 }, (_, n) => part(n)).join('');
    const html = `--b\r\nContent-Type: text/html\r\n\r\n${'<p>Hello</p>\r\n'.repeat(200_000)}`;
    const large = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}${html}--b--\r\n`;
    const client = await SmtpDialogue.open(this.hostile.program.smtpPorts[0] ?? 0);
    await client.ask('EHLO stranger.test');
    for (const message of [...Array.from({ length: 20 }, () => `${head}\r\nHello\r\n`), large]) {
      const reply = await client.submit('a@customer.test', 'x@attacker.test', message);
      if (!reply.startsWith('250')) throw new Error(reply);
    }
    client.drop();
    const conditions = Array.from({ length: 10 }, (_, n) => ({
      header: 'subject',
      value: `${'x'.repeat(490)}${n}`,
      not: true,
    }));
    await several(200, async (n) => {
      await this.post('/routes', { recipient: `r${n}@attacker.test`, conditions, action: { type: 'drop' } });
    });
  }

  /** A page of drafts with all that they may have, some of the largest, in the inbox of the received mail. */
  async drafts(): Promise<string> {
    const to = Array.from({ length: 50 }, (_, n) => `${'x'.repeat(300)} <r${n}@customer.test>`);
    const attachment = { filename: `${'x'.repeat(250)}.txt`, content: 'eA==', content_type: 'text/plain' };
    const attachments = Array.from({ length: 10 }, () => attachment);
    await several(100, async (n) => {
      const html = n < 90 ? 'x' : 'x'.repeat(megabyte);
      await this.post(`/inboxes/${this.inboxId}/drafts`, { to, subject: 'x'.repeat(998), html, attachments });
    });
    return this.inboxId;
  }

  /** Inboxes, the newest with as many labels as it may have. */
  async inboxes(): Promise<void> {
    for (let n = 0; n < pageOfItems; n++) {
      const email_address = `${'x'.repeat(50)}${n}@attacker.test`;
      const inbox = await this.post('/inboxes', { email_address, name: 'ü'.repeat(64), from_name: 'ü'.repeat(78) });
      if (n < pageOfItems - 1) continue;
      for (let at = 0; at < 100; at++) {
        await this.post(`/inboxes/${inbox.id}/labels`, { name: `${'ü'.repeat(60)}${at}` });
      }
      await this.send('PATCH', `/inboxes/${inbox.id}/agent`, { instructions: 'ü'.repeat(4_000) });
    }
  }

  /** A claim of a domain that the other team has. Returns the id of the domain. */
  async claim(): Promise<string> {
    await this.post('/domains', { name: 'claimed.test' }, testApiKey);
    const { domain_id: id } = await this.post('/domains/claim', { name: 'claimed.test' });
    return String(id);
  }

  /** Webhooks with events, suppressions, logs, members, erasures. */
  async others(): Promise<void> {
    const team = await this.teamId();
    const events = ['email.sent', 'email.delivered', 'email.bounced'];
    const webhook = await this.post('/webhooks', { endpoint: `http://127.0.0.1:9/${'x'.repeat(500)}`, events });
    for (let n = 0; n < pageOfItems; n++) await this.post(`/webhooks/${webhook.id}/events/test`, {});
    await several(30, async (n) => {
      const emails = Array.from({ length: 100 }, (_, at) => `suppressed${n}-${at}@x.test`);
      await this.send('POST', '/suppressions/batch/add', { emails });
    });
    await this.post('/privacy/erasures', { email: 'nobody@x.test' });
    await this.post('/team/invitations', { email: 'someone@x.test', role: 'viewer' });
    const member = newId();
    await this.hostile.query(
      `INSERT INTO auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       VALUES ($1, 'Member', 'member@x.test', true, now(), now())`,
      [member],
    );
    await this.hostile.query(
      `INSERT INTO team_members (team_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', now())`,
      [team, member],
    );
    await several(pageOfItems, async () => {
      await this.hostile.request(`/emails?subject=${'x'.repeat(150)}`, {
        headers: { 'user-agent': 'x'.repeat(8_000) },
      });
    });
  }

  /** A page of events with the largest schemas, and automations of the largest rules, the newest of which has many runs. */
  async automations(): Promise<void> {
    const schema = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${'x'.repeat(250)}`, 'string']));
    await several(pageOfItems, (n) => this.post('/events', { name: `event ${n}`, schema }));
    for (let n = 0; n < 12; n++) {
      const graph = largeGraph(`flood ${n}`, 9);
      await this.post('/automations', { name: `Large ${n}`, status: 'enabled', ...graph });
    }
    await several(pageOfItems, async (n) => {
      await this.post('/events/send', { event: 'flood 11', email: `a${n + 1}@x.test`, payload: largePayload });
    });
    await until(async () => {
      const runs = `SELECT FROM automation_runs WHERE completed_at IS NOT NULL`;
      return (await this.hostile.query(runs)).length === pageOfItems;
    }, 60_000);
  }

  /** An image, and a page of others with the longest texts. */
  private async image(): Promise<void> {
    const form = new FormData();
    form.append(
      'file',
      new Blob([Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')]),
      'x.gif',
    );
    const headers = { authorization: `Bearer ${this.hostile.attackerKey}` };
    const response = await fetch(`${this.hostile.program.url}/images`, { method: 'POST', headers, body: form });
    if (!response.ok) throw new Error(await response.text());
    await this.hostile.query(
      `INSERT INTO images (id, team_id, name, alt, type, width, height, size, created_at)
       SELECT uuidv7(n * interval '-1 minute'), team_id, repeat('n', 200), repeat('a', 500), type, width, height, size, created_at
       FROM images, generate_series(1, 4000) n`,
      [],
    );
  }

  /** A template with the largest document, and as many versions of it as may have a name. */
  async document(): Promise<{ templateId: string; versionId: string }> {
    const { id: templateId } = await this.post('/templates', { name: 'Document', html: '<p>x</p>' });
    const resource = { resource_type: 'template', resource_id: templateId };
    await this.post('/editor/content', { ...resource, content: largestStored });
    await this.image();
    let versionId = '';
    await several(pageOfItems, async (n) => {
      ({ id: versionId } = await this.post('/editor/versions', { ...resource, name: `${n}`.padEnd(120, 'x') }));
    });
    return { templateId, versionId };
  }

  /** As many sections as a team may have, each with a text of the largest size, and drafts with the last one. */
  async sections(): Promise<string> {
    let id = '';
    await several(200, async (n) => {
      const text = { type: 'text', text: n < 195 ? 'x' : 'x'.repeat(100_000) };
      const content = { type: 'doc', content: [{ type: 'paragraph', content: [text] }] };
      ({ id } = await this.post('/editor/sections', { name: `${n}`.padEnd(120, 'x'), content }));
    });
    const copy = { type: 'section', attrs: { savedId: id }, content: [{ type: 'paragraph' }] };
    await several(pageOfItems, async (n) => {
      const template = await this.post('/templates', { name: `Section ${n}`, html: '<p>x</p>' });
      const resource = { resource_type: 'template', resource_id: template.id };
      await this.post('/editor/content', { ...resource, content: { type: 'doc', content: [copy] } });
    });
    return id;
  }

  private async teamId(): Promise<string> {
    const [row] = await this.hostile.query<{ id: string }>(`SELECT id FROM teams WHERE name = 'Attacker'`);
    return row?.id ?? '';
  }

  private async post(path: string, body: unknown, key?: string): Promise<Item> {
    return (await this.send('POST', path, body, key)) as Item;
  }

  private async send(method: string, path: string, body?: unknown, key = this.hostile.attackerKey): Promise<object> {
    const response = await this.hostile.request(path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as object;
  }
}
