import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { useTeam } from '../api/session';
import type { EmailStyles } from '../logic/email-styles';
import { previewHtml } from '../logic/preview-html';
import { lookOf } from '../logic/starting-documents/look';
import type { StartingDocument } from '../logic/starting-documents/starting-document';
import { documentFrom, startingDocuments, withSamples } from '../logic/starting-documents/starting-documents';
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
              <span className={styles.name}>{t(`editor:start.${id}.name`)}</span>
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

/** The rendered email, made smaller. It is asked for once it is scrolled into view. */
function DocumentPicture({ document, kind, label }: DocumentPictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(box);
  const scheme = useComputedColorScheme('light');
  const team = useQuery(editorStylesQuery).data;
  const name = useTeam()?.name ?? '';
  const rendered = useQuery({
    queryKey: ['starting-document', document.id, kind, team?.styles, name],
    queryFn: async () => {
      if (team === undefined) return '';
      const look = lookOf(team.complete as unknown as EmailStyles, team.illustrations, Date.now());
      const content = documentFrom(document, look, kind);
      // Where there is no logo yet, the name of the team stands for it.
      const shown = { company: name, ...team.styles } as never;
      const { html } = await answer(
        api.POST('/editor/render', { body: { content: content as never, resource_type: kind, styles: shown } }),
      );
      return withSamples(html, document.samples);
    },
    enabled: isSeen && team !== undefined,
    staleTime: Infinity,
  });
  return (
    <div ref={box} className={styles.picture}>
      {rendered.data === undefined ? null : (
        <iframe
          title={label}
          sandbox=""
          tabIndex={-1}
          loading="lazy"
          srcDoc={previewHtml(rendered.data, scheme === 'dark' ? 'dark' : 'desktop')}
        />
      )}
    </div>
  );
}

function useIsSeen(box: RefObject<HTMLDivElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return isSeen;
}
