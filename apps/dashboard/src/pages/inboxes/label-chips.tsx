import styles from './labels.module.css';
import type { Label } from './mail-queries';

/** The colour of a label. Its name always stands beside it. */
export function Dot({ color }: { readonly color: string }) {
  return <span className={styles.dot} style={{ background: color }} aria-hidden />;
}

export function LabelChips({ labels }: { readonly labels: readonly Label[] }) {
  return (
    <>
      {labels.map(({ id, name, color }) => (
        <span key={id} className={styles.chip}>
          <Dot color={color} />
          <span className="cut">{name}</span>
        </span>
      ))}
    </>
  );
}
