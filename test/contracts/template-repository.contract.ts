import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import {
  maxKeptVersions,
  TemplateRepository,
} from '../../libs/templates/src/application/ports/template-repository.port.js';
import { CurrentTemplate, TemplateVersion } from '../../libs/templates/src/domain/template.js';

export interface TemplatesUnderTest {
  readonly templates: TemplateRepository;
  readonly unitOfWork: UnitOfWork;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `TemplateRepository` keeps to. */
export function describeTemplateRepository(name: string, start: () => Promise<TemplatesUnderTest>): void {
  describe(`templates ${name}`, () => {
    let subject: TemplatesUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const now = new Date('2026-11-21T10:00:00Z');

    const aVersion = (templateId: string, fields: Partial<TemplateVersion> = {}): TemplateVersion => ({
      id: newId(),
      templateId,
      from: null,
      subject: 'Hi {{{NAME}}}',
      replyTo: ['help@acme.test'],
      html: '<p>Hi</p>',
      text: null,
      document: '{"type":"doc"}',
      contentSource: 'editor',
      contentRevision: 2,
      variables: [{ id: newId(), key: 'NAME', type: 'string', fallbackValue: 'you', createdAt: now, updatedAt: now }],
      createdAt: now,
      publishedAt: null,
      actor: { kind: 'user', id: newId() },
      ...fields,
    });

    function aTemplate(teamId: string, alias: string | null = null): CurrentTemplate {
      const id = newId();
      const version = aVersion(id);
      const template = {
        id,
        teamId,
        name: 'Hello',
        alias,
        currentVersionId: version.id,
        publishedVersionId: null,
        publishedAt: null,
        createdAt: now,
        updatedAt: now,
      };
      return { template, version };
    }

    const save = (current: CurrentTemplate) =>
      subject.unitOfWork.run((transaction) => subject.templates.save(current, transaction));
    const idOfAlias = (teamId: string, alias: string) =>
      subject.unitOfWork.run((transaction) => subject.templates.idOfAlias(teamId, alias, transaction));

    async function saved(teamId: string, alias: string | null = null): Promise<CurrentTemplate> {
      const current = aTemplate(teamId, alias);
      await save(current);
      return current;
    }

    /** Publishes the version, or a new one. */
    async function published({ template }: CurrentTemplate, version: TemplateVersion): Promise<CurrentTemplate> {
      const next = {
        template: { ...template, currentVersionId: version.id, publishedVersionId: version.id, publishedAt: now },
        version: { ...version, publishedAt: now },
      };
      await save(next);
      return next;
    }

    it('a template is found by its id and its alias, locked or not, by its team alone', async () => {
      const [teamId, other] = [await subject.aTeam(), await subject.aTeam()];
      const current = await saved(teamId, 'hello');
      for (const key of [current.template.id, 'hello']) {
        expect(await subject.templates.find(teamId, key)).toEqual(current);
        expect(await subject.templates.find(other, key)).toBeUndefined();
        const locked = await subject.unitOfWork.run((transaction) => subject.templates.lock(teamId, key, transaction));
        expect(locked).toEqual(current);
      }
      expect(await idOfAlias(teamId, 'hello')).toBe(current.template.id);
      expect(await idOfAlias(other, 'hello')).toBeUndefined();
    });

    it('a draft changes in place, a published version never', async () => {
      const current = await saved(await subject.aTeam());
      const { teamId, id } = current.template;
      const first = await published(current, { ...current.version, html: '<p>One</p>' });
      await save({ ...first, version: { ...first.version, html: '<p>Changed</p>' } });
      expect(await subject.templates.version(teamId, id, first.version.id)).toEqual(first.version);
      const draft = aVersion(id, { html: '<p>Two</p>' });
      await save({ template: { ...first.template, currentVersionId: draft.id }, version: draft });
      expect((await subject.templates.find(teamId, id))?.version).toEqual(draft);
      expect((await subject.templates.versions(teamId, id)).map((version) => version.id)).toEqual([first.version.id]);
      expect(await subject.templates.version(await subject.aTeam(), id, draft.id)).toBeUndefined();
    });

    it('the newest published versions are kept', async () => {
      let current = await saved(await subject.aTeam());
      const { teamId, id } = current.template;
      const ids: string[] = [];
      for (let n = 0; n < maxKeptVersions + 2; n++) {
        current = await published(current, aVersion(id));
        ids.unshift(current.version.id);
      }
      const kept = await subject.templates.versions(teamId, id);
      expect(kept.map((version) => version.id)).toEqual(ids.slice(0, maxKeptVersions));
    });

    it('those of a team are listed newest first, in pages of both directions', async () => {
      const teamId = await subject.aTeam();
      await saved(await subject.aTeam());
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.unshift((await saved(teamId)).template.id);
      const page = async (request: object) => {
        const { items, hasMore } = await subject.templates.list(teamId, { limit: 2, ...request });
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page({})).toEqual([[0, 1], true]);
      expect(await page({ after: ids[1] })).toEqual([[2], false]);
      expect(await page({ before: ids[2] })).toEqual([[0, 1], false]);
    });

    it('a removed template is gone with its versions, and nothing stays of a transaction that fails', async () => {
      const current = await saved(await subject.aTeam(), 'gone');
      const { teamId, id } = current.template;
      await published(current, current.version);
      expect(await subject.templates.remove(await subject.aTeam(), id)).toBeUndefined();
      expect(await subject.templates.remove(teamId, 'gone')).toBe(id);
      expect(await subject.templates.remove(teamId, id)).toBeUndefined();
      expect(await subject.templates.versions(teamId, id)).toEqual([]);
      const failing = subject.unitOfWork.run(async (transaction) => {
        await subject.templates.save(aTemplate(teamId, 'gone'), transaction);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      expect(await subject.templates.find(teamId, 'gone')).toBeUndefined();
    });
  });
}
