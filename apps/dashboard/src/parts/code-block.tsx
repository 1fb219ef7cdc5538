import { useTranslation } from 'react-i18next';
import styles from './code-block.module.css';
import { CopyButton } from './copy-button';

/** Code that can be copied. Long lines scroll. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles.block}>
      <pre className={styles.code} tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <span className={styles.copy}>
        <CopyButton value={code} label={t('common:copy')} />
      </span>
    </div>
  );
}
