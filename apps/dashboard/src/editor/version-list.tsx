import { Button, Flex, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../api/client';
import { textOf, type JsonNode } from '../logic/document-json';
import { changedWords } from '../logic/text-diff';
import { Confirm } from '../parts/confirm';
import { say, sayError } from '../parts/say';
import { Time } from '../parts/time';
import type { ContentType, OpenDocument } from './use-document';
import styles from './content-editor.module.css';

interface VersionListProps {
  readonly type: ContentType;
  readonly id: string;
  readonly document: OpenDocument;
}

type Version = Schema<'ContentVersionSummaryResponse'>;

/** What the content was before: to name, to compare, and to bring back. */
export function VersionList({ type, id, document }: VersionListProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Version>();
  // Read again after each save.
  const queryKey = ['editor-versions', type, id, document.saving === 'saved' ? 1 : 0];
  const versions = useQuery({
    queryKey,
    queryFn: async () =>
      (
        await answer(
          api.GET('/editor/versions', { params: { query: { resource_type: type, resource_id: id, limit: 50 } } }),
        )
      ).data,
  });
  const keep = async (): Promise<void> => {
    await document.saveNow();
    await answer(api.POST('/editor/versions', { body: { resource_type: type, resource_id: id, name: name.trim() } }));
    setName('');
    await client.invalidateQueries({ queryKey: ['editor-versions'] });
  };
  return (
    <>
      {document.mayWrite ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void keep().catch(sayError);
          }}
        >
          <TextInput
            label={t('editor:versions.name')}
            value={name}
            maxLength={120}
            onChange={(event) => setName(event.currentTarget.value)}
            rightSectionWidth={72}
            rightSection={
              <Button type="submit" variant="subtle" disabled={name.trim() === ''}>
                {t('editor:versions.keep')}
              </Button>
            }
          />
        </form>
      ) : null}
      <Flex component="ul" direction="column" aria-label={t('editor:tab.versions')}>
        {(versions.data ?? []).map((version) => (
          <li key={version.id} className={styles.version}>
            <span>
              <span className="cut">{version.name ?? t(`editor:versions.kind.${version.content_source}`)}</span>
              <br />
              <span className="quiet">
                <Time at={version.updated_at} form="short" />
              </span>
            </span>
            <Button variant="subtle" onClick={() => setChosen(version)}>
              {t('editor:versions.look')}
            </Button>
          </li>
        ))}
      </Flex>
      {versions.data?.length === 0 ? <p className="quiet">{t('editor:versions.none')}</p> : null}
      {chosen === undefined ? null : (
        <Confirm
          opened
          close={() => setChosen(undefined)}
          title={chosen.name ?? t('editor:versions.restoreTitle')}
          action={t('editor:versions.restore')}
          run={async () => {
            await document.saveNow();
            await answer(
              api.POST('/editor/versions/{versionId}/restore', { params: { path: { versionId: chosen.id } } }),
            );
            await document.reload();
            say(t('editor:versions.restored'));
          }}
        >
          <Difference version={chosen} now={document.read()} />
        </Confirm>
      )}
    </>
  );
}

/** The words that would come back, and those that would go. */
function Difference({ version, now }: { readonly version: Version; readonly now: JsonNode }) {
  const { t } = useTranslation();
  const whole = useQuery({
    queryKey: ['editor-version', version.id],
    queryFn: () => answer(api.GET('/editor/versions/{versionId}', { params: { path: { versionId: version.id } } })),
  });
  if (whole.data === undefined) return null;
  const { content, html } = whole.data;
  if (content === null) return <pre>{(html ?? '').slice(0, 2_000)}</pre>;
  const parts = changedWords(textOf(now), textOf(content as unknown as JsonNode));
  if (parts.every(({ kind }) => kind === 'same')) return <p>{t('editor:versions.sameWords')}</p>;
  return (
    <p className={styles.difference}>
      {parts.map(({ kind, text }, no) =>
        kind === 'added' ? (
          <ins key={no}>{text} </ins>
        ) : kind === 'removed' ? (
          <del key={no}>{text} </del>
        ) : (
          <span key={no}>{text} </span>
        ),
      )}
    </p>
  );
}
