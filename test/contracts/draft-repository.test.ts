import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { InMemoryUnitOfWork } from '../support/fakes/in-memory-unit-of-work.js';
import { Database } from '#postgres/database';
import { DraftRepository } from '../../libs/inboxes/src/application/ports/draft-repository.port.js';
import { DraftFile, InboxDraft, maxOpenDrafts, maxTeamFileBytes } from '../../libs/inboxes/src/domain/draft.js';
import { InMemoryDrafts } from '../support/fakes/in-memory-inboxes.js';
import { startProgram, TestProgram } from '../support/programs/program.js';

interface Rig {
  readonly drafts: DraftRepository;
  readonly work: UnitOfWork;
  readonly teamId: string;
  readonly inboxId: string;
}

let started: Promise<TestProgram> | undefined;
afterAll(async () => (await started)?.stop());

async function inPostgres(): Promise<Rig> {
  started ??= startProgram({ ROLES: 'api' });
  const { app } = (await started).postrider;
  const database = app.get(Database, { strict: false });
  const [teamId, inboxId] = [newId(), newId()];
  await database.query({
    text: `WITH team AS (INSERT INTO teams (id, name, created_at) VALUES ($1, 'Team', now()) RETURNING id)
           INSERT INTO inboxes (id, team_id, domain_id, address, created_at, updated_at)
           SELECT $2, id, $2, 'support@acme.test', now(), now() FROM team`,
    values: [teamId, inboxId],
  });
  const drafts = app.get<DraftRepository>(DraftRepository, { strict: false });
  return { drafts, work: database, teamId, inboxId };
}

const inMemory = async (): Promise<Rig> => ({
  drafts: new InMemoryDrafts(),
  work: new InMemoryUnitOfWork(),
  teamId: newId(),
  inboxId: newId(),
});

const aFile = (fields: Partial<DraftFile> = {}): DraftFile => ({
  id: newId(),
  filename: 'a.txt',
  contentType: 'text/plain',
  contentId: null,
  size: 5,
  content: Buffer.from('Bytes'),
  ...fields,
});

describe.each([
  ['in memory', inMemory],
  ['in PostgreSQL', inPostgres],
])('drafts %s', (_, rig) => {
  let drafts: DraftRepository;
  let work: UnitOfWork;
  let teamId: string;
  let inboxId: string;

  beforeEach(async () => {
    ({ drafts, work, teamId, inboxId } = await rig());
  });

  const aDraft = (fields: Partial<InboxDraft> = {}): InboxDraft => ({
    id: newId(),
    inboxId,
    threadId: null,
    replyToEmailId: null,
    to: ['Ada <ada@customer.test>'],
    cc: ['a@b.test', 'c@d.test'],
    bcc: [],
    subject: 'Hi',
    html: '<p>Hello</p>',
    text: null,
    attachments: [],
    emailId: null,
    version: 1,
    createdAt: new Date('2026-11-22T10:00:00Z'),
    updatedAt: new Date('2026-11-22T10:00:00Z'),
    ...fields,
  });
  const described = (files: readonly DraftFile[]) => files.map(({ content: _content, ...file }) => file);
  const add = (draft: InboxDraft, files: readonly DraftFile[] = []) =>
    work.run((transaction) => drafts.add(teamId, { ...draft, attachments: described(files) }, files, transaction));

  it('are found as they were added, and listed without their bodies', async () => {
    const files = [aFile(), aFile({ contentId: 'logo' })];
    const draft = aDraft();
    const reply = aDraft({
      threadId: newId(),
      replyToEmailId: newId(),
      to: null,
      subject: null,
      html: null,
      text: 'Hi',
    });
    expect([await add(draft, files), await add(reply)]).toEqual(['added', 'added']);
    expect(await drafts.find(inboxId, draft.id)).toEqual({ ...draft, attachments: described(files) });
    expect(await drafts.find(inboxId, reply.id)).toEqual(reply);
    expect(await drafts.files(draft.id)).toEqual(files);
    expect(await drafts.find(newId(), draft.id)).toBeUndefined();
    const { items, hasMore } = await drafts.list(inboxId, { limit: 1 });
    expect([items, hasMore]).toMatchObject([[{ id: reply.id, snippet: 'Hi', to: null }], true]);
    const next = await drafts.list(inboxId, { limit: 1, after: reply.id });
    expect([next.items, next.hasMore]).toMatchObject([
      [{ id: draft.id, snippet: 'Hello', attachments: described(files) }],
      false,
    ]);
  });

  it('are changed and removed once they are locked', async () => {
    const draft = aDraft();
    await add(draft, [aFile()]);
    const file = aFile({ filename: 'b.txt' });
    const changed = { ...draft, to: null, text: 'New', version: 2, attachments: described([file]) };
    await work.run(async (transaction) => {
      await drafts.lockAttachments(teamId, transaction);
      expect(await drafts.lock(inboxId, draft.id, transaction)).toMatchObject({ version: 1 });
      expect(await drafts.change(teamId, changed, [file], transaction)).toBe(true);
    });
    expect(await drafts.find(inboxId, draft.id)).toEqual(changed);
    expect(await drafts.files(draft.id)).toEqual([file]);
    await work.run(async (transaction) => {
      expect(await drafts.change(teamId, { ...changed, version: 3 }, undefined, transaction)).toBe(true);
    });
    expect(await drafts.files(draft.id)).toEqual([file]);
    const more = [aFile({ filename: 'c.txt' }), aFile({ filename: 'd.txt' })];
    const fourth = { ...changed, version: 4, attachments: described([file, ...more]) };
    await work.run((transaction) => drafts.change(teamId, fourth, more, transaction));
    expect(await drafts.files(draft.id)).toEqual([file, ...more]);
    const fifth = { ...changed, version: 5, attachments: described(more) };
    await work.run((transaction) => drafts.change(teamId, fifth, [], transaction));
    expect(await drafts.files(draft.id)).toEqual(more);
    await work.run((transaction) => drafts.remove(draft.id, transaction));
    expect(await drafts.find(inboxId, draft.id)).toBeUndefined();
  });

  it('are not listed once they are sent, and have no bytes any more', async () => {
    const draft = aDraft();
    await add(draft, [aFile()]);
    const emailId = newId();
    await work.run(async (transaction) => {
      await drafts.lock(inboxId, draft.id, transaction);
      await drafts.markSent({ ...draft, emailId }, transaction);
    });
    expect(await drafts.find(inboxId, draft.id)).toMatchObject({ emailId });
    expect((await drafts.list(inboxId, { limit: 10 })).items).toEqual([]);
    expect((await drafts.files(draft.id)).filter(({ content }) => content.length > 0)).toEqual([]);
  });

  it('are limited, and those that are sent do not count', async () => {
    const large = aFile({ size: maxTeamFileBytes });
    const first = aDraft();
    expect(await add(first, [large])).toBe('added');
    const second = aDraft();
    const fails = work.run(async (transaction) => {
      const added = await drafts.add(teamId, second, [aFile()], transaction);
      throw new Error(added);
    });
    await expect(fails).rejects.toThrow('too many bytes');
    await work.run((transaction) => drafts.markSent({ ...first, emailId: newId() }, transaction));
    expect(await add(second, [aFile()])).toBe('added');
    await work.run(async (transaction) => {
      for (let n = 1; n < maxOpenDrafts; n++) await drafts.add(teamId, aDraft(), [], transaction);
    });
    expect(await add(aDraft())).toBe('full');
  });
});

it('a draft of an inbox that is gone is not added to PostgreSQL', async () => {
  const { drafts, work, teamId } = await inPostgres();
  const { id, inboxId } = { id: newId(), inboxId: newId() };
  const added = work.run((transaction) =>
    drafts.add(
      teamId,
      {
        id,
        inboxId,
        threadId: null,
        replyToEmailId: null,
        to: null,
        cc: [],
        bcc: [],
        subject: 'x',
        html: null,
        text: null,
        attachments: [],
        emailId: null,
        version: 1,
        createdAt: new Date(),
        updatedAt: new Date(),
      },
      [],
      transaction,
    ),
  );
  expect(await added).toBe('no inbox');
});
