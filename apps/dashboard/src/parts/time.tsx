import { Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { duration, exactTime, parseTime, relativeTime, shortTime } from '../logic/moments';
import { localeOf } from '../words/words';
import styles from './time.module.css';

interface TimeProps {
  /** As the API writes it. */
  readonly at: string;
  /** `short` for rows: the clock time of today, otherwise the day. */
  readonly form?: 'relative' | 'short' | 'exact';
}

/** A time, with the exact one in the reader's zone and in UTC when the pointer rests on it. */
export function Time({ at, form = 'relative' }: TimeProps) {
  const { i18n } = useTranslation();
  const place = useRef<HTMLTimeElement>(null);
  const [isShown, setShown] = useState(false);
  const { start, clear } = useTimeout(() => setShown(true), 350);
  const hide = (): void => {
    clear();
    setShown(false);
  };
  const now = useNow(form === 'relative' ? 10_000 : 60_000);
  const time = parseTime(at);
  if (Number.isNaN(time.getTime())) return <span>{at}</span>;
  const language = localeOf(i18n.language);
  const shown = {
    relative: () => relativeTime(time, now, language),
    short: () => shortTime(time, now, language),
    exact: () => exactTime(time, language),
  }[form]();
  return (
    <time ref={place} dateTime={time.toISOString()} className="tabular" onPointerEnter={start} onPointerLeave={hide}>
      {shown}
      {isShown ? <Tooltip target={place} opened label={<Zones time={time} language={language} />} /> : null}
    </time>
  );
}

/** The tooltip is made when it is shown: making one for each row holds up a list that is scrolled. */
function Zones({ time, language }: { readonly time: Date; readonly language: string }) {
  return (
    <span className={styles.zones}>
      <span>{exactTime(time, language)}</span>
      <span>{exactTime(time, language, 'UTC')}</span>
    </span>
  );
}

interface CountdownProps {
  readonly to: string;
  /** Stands in front of the time that is left, as in "Trying again in 5 s". */
  readonly before?: string;
  /** Shown instead of both once no time is left, as in "Trying again now". */
  readonly ended: string;
}

/** Counts down to a time, second by second. */
export function Countdown({ to, before = '', ended }: CountdownProps) {
  const { i18n } = useTranslation();
  // Whole seconds, so that nothing but the figure changes.
  const left = Math.ceil((parseTime(to).getTime() - useNow(1_000)) / 1_000) * 1_000;
  const text = left <= 0 ? ended : `${before} ${duration(left, localeOf(i18n.language))}`.trim();
  return <span className="tabular">{text}</span>;
}

class Clock {
  now = Date.now();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly intervalMs: number) {}

  readonly follow = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.timer ??= setInterval(() => this.tick(), this.intervalMs);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };

  private tick(): void {
    this.now = Date.now();
    for (const listener of this.listeners) listener();
  }
}

const clocks = new Map<number, Clock>();

/** The present time, changing every `intervalMs`. All readers share one timer. */
export function useNow(intervalMs: number): number {
  const clock = clocks.get(intervalMs) ?? new Clock(intervalMs);
  clocks.set(intervalMs, clock);
  return useSyncExternalStore(clock.follow, () => clock.now);
}
