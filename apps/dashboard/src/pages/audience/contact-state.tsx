import { CircleCheck, CircleSlash, CircleX, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../parts/status-badge';

const looks = {
  subscribed: ['good', CircleCheck],
  unsubscribed: ['flat', CircleSlash],
  bounced: ['bad', CircleX],
  complained: ['wait', TriangleAlert],
} as const;

interface ContactStateProps {
  readonly contact: {
    readonly unsubscribed: boolean;
    readonly bounced_at?: string | null;
    readonly complained_at?: string | null;
  };
  readonly plain?: boolean;
}

/** Whether the contact gets mail, and the worst reason why not. */
export function ContactState({ contact, plain = false }: ContactStateProps) {
  const { t } = useTranslation();
  const state = stateOf(contact);
  const [tone, icon] = looks[state];
  return <StatusBadge tone={tone} icon={icon} label={t(`audience:state.${state}`)} plain={plain} />;
}

function stateOf(contact: ContactStateProps['contact']): keyof typeof looks {
  if (contact.complained_at != null) return 'complained';
  if (contact.bounced_at != null) return 'bounced';
  return contact.unsubscribed ? 'unsubscribed' : 'subscribed';
}
