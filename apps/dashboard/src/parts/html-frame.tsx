import styles from './html-frame.module.css';

interface HtmlFrameProps {
  readonly title: string;
  readonly html: string;
  readonly phone?: boolean;
  /** In dark mode, the frame is dark until the email has loaded. */
  readonly dark?: boolean;
}

/**
 * HTML that somebody else wrote. The frame runs no script, sends no form and is another origin; the policy of the page holds in it
 * too, so that it loads nothing from elsewhere. Links open a new tab.
 */
export function HtmlFrame({ title, html, phone = false, dark = false }: HtmlFrameProps) {
  return (
    <iframe
      className={styles.frame}
      data-phone={phone || undefined}
      data-dark={dark || undefined}
      title={title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank"><meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">${html}`}
    />
  );
}
