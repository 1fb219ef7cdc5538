import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inList, listWidths } from '../logic/preview-html';
import styles from './content-editor.module.css';

interface EnvelopeHeadProps {
  readonly subject: string;
  /** Undefined where the text behind the subject is set elsewhere. */
  readonly preview: string | undefined;
  readonly sender: string;
  readonly readOnly: boolean;
  /** What was refused of them. */
  readonly error?: { readonly field: 'subject' | 'preview_text'; readonly text: React.ReactNode };
  /** Further lines, such as whom it is for. */
  readonly children?: React.ReactNode;
  readonly change: (changes: { readonly subject?: string; readonly previewText?: string }) => void;
}

/** The subject and what stands behind it in lists, with how much of them common programs show. */
export function EnvelopeHead({ subject, preview, sender, readOnly, error, children, change }: EnvelopeHeadProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const length = [...subject].length;
  return (
    <div className={styles.envelope} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      <div className={styles.subject}>
        <label htmlFor={`${id}s`}>{t('editor:envelope.subject')}</label>
        <input
          id={`${id}s`}
          value={subject}
          readOnly={readOnly}
          maxLength={998}
          placeholder={t('editor:envelope.subjectText')}
          aria-invalid={error?.field === 'subject' || undefined}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        <span
          className={styles.length}
          data-long={length > listWidths.phone || undefined}
          title={t('editor:envelope.lengthText', { phone: listWidths.phone, desktop: listWidths.desktop })}
        >
          {length} / {listWidths.phone}
        </span>
      </div>
      {preview === undefined ? null : (
        <div className={styles.preview}>
          <label htmlFor={`${id}p`}>{t('editor:envelope.preview')}</label>
          <input
            id={`${id}p`}
            value={preview}
            readOnly={readOnly}
            maxLength={998}
            placeholder={t('editor:envelope.previewText')}
            aria-invalid={error?.field === 'preview_text' || undefined}
            onChange={(event) => change({ previewText: event.currentTarget.value })}
          />
          <span className={styles.length}>
            {[...preview].length} / {listWidths.behindOnPhone}
          </span>
        </div>
      )}
      {children}
      {error === undefined ? null : (
        <p className={styles.envelopeError} role="alert">
          {error.text}
        </p>
      )}
      {isFocused && preview !== undefined ? (
        <div className={styles.inbox} aria-hidden>
          {[false, true].map((isPhone) => {
            const shown = inList(subject, preview, isPhone);
            return (
              <p key={String(isPhone)}>
                <span className="quiet">{t(isPhone ? 'editor:envelope.onPhone' : 'editor:envelope.onDesktop')}</span>{' '}
                <b>{sender}</b> <b>{shown.subject}</b>{' '}
                <span className="quiet">{shown.preview === '' ? t('editor:envelope.beginning') : shown.preview}</span>
              </p>
            );
          })}
        </div>
      ) : null}
    </div>
  );
}
