import { ReferencePage } from './reference-page';
import styles from './reference.module.css';

/** The reference at `/docs`: for everybody, without the rail. */
export function PublicReference() {
  return (
    <main className={styles.whole}>
      <ReferencePage />
    </main>
  );
}
