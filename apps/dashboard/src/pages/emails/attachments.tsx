import { Download, FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '../../logic/bytes';
import { localeOf } from '../../words/words';
import styles from './attachments.module.css';
import type { Attachment } from './email-queries';

export function Attachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  const { t, i18n } = useTranslation();
  return (
    <ul className={styles.list}>
      {attachments.map(({ id, filename, content_type, size, download_url }) => (
        <li key={id}>
          <a className={styles.file} href={pathOf(download_url)} download={filename ?? true}>
            <FileText size={16} aria-hidden />
            <span className="cut">{filename ?? t('emails:preview.unnamed')}</span>
            <span className="quiet">{content_type}</span>
            <span className="quiet tabular">{bytesText(size, localeOf(i18n.language))}</span>
            <Download size={14} aria-hidden />
          </a>
        </li>
      ))}
    </ul>
  );
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
