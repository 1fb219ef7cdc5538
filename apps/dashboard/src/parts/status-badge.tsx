import {
  Ban,
  CalendarClock,
  CheckCheck,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  Clock,
  Eye,
  Flag,
  Lightbulb,
  Loader,
  MousePointerClick,
  Send,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import styles from './status-badge.module.css';

/** The colour of a state: the same everywhere, in badges and in charts (`--good-bar` and so on). */
export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'act' | 'flat';

interface StatusBadgeProps {
  readonly tone: Tone;
  readonly icon: LucideIcon;
  /** The word for the state: colour and icon never stand alone. */
  readonly label: string;
  /** Without a coloured ground, for dense lists. */
  readonly plain?: boolean;
}

/** A state, as word and icon. When the state changes, the badge fades to the new one. */
export function StatusBadge({ tone, icon: Icon, label, plain = false }: StatusBadgeProps) {
  return (
    <span key={label} className={styles.badge} data-tone={tone} data-plain={plain || undefined}>
      <Icon size={13} strokeWidth={2.2} aria-hidden />
      <span>{label}</span>
    </span>
  );
}

export interface StateLook {
  readonly tone: Tone;
  readonly icon: LucideIcon;
}

/** How states of emails and recipients look. The words are in `common:state`. */
export const emailStates: Readonly<Record<string, StateLook>> = {
  queued: { tone: 'flat', icon: CircleDashed },
  scheduled: { tone: 'info', icon: CalendarClock },
  sent: { tone: 'info', icon: Send },
  sending: { tone: 'info', icon: Loader },
  delivered: { tone: 'good', icon: CircleCheck },
  delivery_delayed: { tone: 'wait', icon: Clock },
  delayed: { tone: 'wait', icon: Clock },
  bounced: { tone: 'bad', icon: CircleX },
  failed: { tone: 'bad', icon: TriangleAlert },
  complained: { tone: 'bad', icon: Flag },
  opened: { tone: 'act', icon: Eye },
  clicked: { tone: 'act', icon: MousePointerClick },
  canceled: { tone: 'flat', icon: CircleSlash },
  suppressed: { tone: 'wait', icon: Ban },
};

/** How findings of checks look. */
export const findingStates: Readonly<Record<string, StateLook>> = {
  problem: { tone: 'bad', icon: CircleX },
  warning: { tone: 'wait', icon: TriangleAlert },
  advice: { tone: 'info', icon: Lightbulb },
  good: { tone: 'good', icon: CircleCheck },
  not_measured: { tone: 'flat', icon: CircleDashed },
};

export const unknownState: StateLook = { tone: 'flat', icon: CheckCheck };
