import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { useTeam } from '../api/session';
import type { EmailStyles } from '../logic/email-styles';
import { lookOf } from '../logic/starting-documents/look';
import type { StartingDocument } from '../logic/starting-documents/starting-document';
import { documentFrom, startingDocuments, withSamples } from '../logic/starting-documents/starting-documents';
import { EmailPicture } from './email-picture';
import { editorStylesQuery } from './styles-query';
import type { ContentType } from './use-document';
import styles from './start-from.module.css';

interface StartFromProps {
  readonly kind: ContentType;
  /** Undefined: an empty document. */
  readonly chosen: StartingDocument | undefined;
  readonly choose: (document: StartingDocument | undefined) => void;
}

/** What a new email can begin with, each as it will look in the styles of the team. */
export function StartFrom({ kind, chosen, choose }: StartFromProps) {
  const { t } = useTranslation();
  // Those for many readers come first for broadcasts, and last for templates.
  const offered = startingDocuments.toSorted(
    (a, b) => (Number(b.isBulk) - Number(a.isBulk)) * (kind === 'broadcast' ? 1 : -1),
  );
  return (
    <div className={styles.gallery} role="radiogroup" aria-label={t('editor:start.title')}>
      {[undefined, ...offered].map((each) => {
        const id = each?.id ?? 'blank';
        return (
          <div key={id} className={styles.card} data-chosen={chosen === each || undefined}>
            {each === undefined ? (
              <div className={styles.blank}>
                <Plus size={22} aria-hidden />
              </div>
            ) : (
              <DocumentPicture document={each} kind={kind} label={t(`editor:start.${id}.name`)} />
            )}
            <button
              type="button"
              role="radio"
              aria-checked={chosen === each}
              className={styles.choice}
              onClick={() => choose(each)}
            >
              <Box component="span" c="var(--text)" fw={550}>
                {t(`editor:start.${id}.name`)}
              </Box>
              <span className={styles.text}>{t(`editor:start.${id}.text`)}</span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

interface DocumentPictureProps {
  readonly document: StartingDocument;
  readonly kind: ContentType;
  readonly label: string;
}

function DocumentPicture({ document, kind, label }: DocumentPictureProps) {
  const team = useQuery(editorStylesQuery).data;
  const name = useTeam()?.name ?? '';
  const render = async (styles: NonNullable<typeof team>): Promise<string> => {
    const look = lookOf(styles.complete as unknown as EmailStyles, styles.illustrations, Date.now());
    const content = documentFrom(document, look, kind);
    // Where there is no logo yet, the name of the team stands for it.
    const shown = { company: name, ...styles.styles } as never;
    const { html } = await answer(
      api.POST('/editor/render', { body: { content: content as never, resource_type: kind, styles: shown } }),
    );
    return withSamples(html, document.samples);
  };
  return (
    <EmailPicture
      label={label}
      queryKey={[document.id, kind, team?.styles, name]}
      render={team === undefined ? undefined : () => render(team)}
    />
  );
}
