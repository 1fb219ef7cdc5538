import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { previewHtml } from '../logic/preview-html';
import styles from './email-picture.module.css';

interface EmailPictureProps {
  readonly label: string;
  readonly queryKey: readonly unknown[];
  /** Undefined while something is missing for it. */
  readonly render: (() => Promise<string>) | undefined;
}

/** A rendered email, made smaller. It is asked for once it is scrolled into view. */
export function EmailPicture({ label, queryKey, render }: EmailPictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(box);
  const scheme = useComputedColorScheme('light');
  const { data } = useQuery({
    queryKey: ['email-picture', ...queryKey],
    queryFn: () => render?.() ?? '',
    enabled: isSeen && render !== undefined,
    staleTime: Infinity,
  });
  return (
    <div ref={box} className={styles.picture}>
      {data === undefined ? null : (
        <iframe
          title={label}
          sandbox=""
          tabIndex={-1}
          loading="lazy"
          srcDoc={previewHtml(data, scheme === 'dark' ? 'dark' : 'desktop')}
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
