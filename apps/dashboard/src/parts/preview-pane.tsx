import { Flex } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { previewHtml, type PreviewMode } from '../logic/preview-html';
import composer from './composer.module.css';
import { HtmlFrame } from './html-frame';
import { PreviewModes } from './preview-modes';
import { ErrorState } from './states';

interface PreviewPaneProps {
  readonly label: string;
  /** Undefined while it is rendered. */
  readonly email:
    { readonly subject: string | null; readonly html: string | null; readonly text: string | null } | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  readonly isStale?: boolean;
  /** Below the subject, such as values to try. */
  readonly children?: ReactNode;
}

/** An email as programs show it, beside where it is written. */
export function PreviewPane({ label, email, error, retry, isStale = false, children }: PreviewPaneProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<PreviewMode>('desktop');
  return (
    <section className={composer.preview} aria-label={label} data-stale={isStale || undefined}>
      <Flex gap={12} align="center" py={12} px={20}>
        <span className={composer.previewSubject}>{email?.subject ?? ''}</span>
        <PreviewModes mode={view} setMode={setView} />
      </Flex>
      {children}
      {error !== null ? (
        <ErrorState error={error} retry={retry} />
      ) : email === undefined ? null : view === 'text' || email.html === null ? (
        <pre className={composer.plain} tabIndex={0} aria-label={t('templates:views.text')}>
          {email.text ?? t('templates:textFromHtml')}
        </pre>
      ) : (
        <div className={composer.stage}>
          <HtmlFrame
            title={label}
            html={previewHtml(email.html, view)}
            phone={view === 'phone'}
            dark={view === 'dark'}
          />
        </div>
      )}
    </section>
  );
}
