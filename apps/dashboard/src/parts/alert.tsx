import { CircleAlert } from 'lucide-react';
import styles from './alert.module.css';
import { errorText } from './error-text';

/** What went wrong, above a form. Nothing if there is no error. */
export function Alert({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <p role="alert" className={styles.alert}>
      <CircleAlert size={16} aria-hidden />
      <span>{errorText(error).text}</span>
    </p>
  );
}
