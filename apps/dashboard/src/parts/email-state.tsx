import { useTranslation } from 'react-i18next';
import { emailStates, StatusBadge, unknownState } from './status-badge';

/** The state of an email or of a recipient, by its name in the API. */
export function EmailState({ state, plain }: { readonly state: string; readonly plain?: boolean }) {
  const { t } = useTranslation();
  const { tone, icon } = emailStates[state] ?? unknownState;
  return <StatusBadge tone={tone} icon={icon} label={t(`common:state.${state}`)} plain={plain ?? false} />;
}
