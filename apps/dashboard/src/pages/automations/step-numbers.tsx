import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DraftStep, Place } from '../../logic/automation-draft';
import styles from './automations.module.css';
import type { StepsView } from './step-card';

/** Contacts that wait in a step or failed there, with a link to them. */
export function StepNumbers({ step, view }: { readonly step: DraftStep; readonly view: StepsView }) {
  const { t, i18n } = useTranslation();
  const numbers = view.numbers?.steps.find(({ key }) => key === step.key);
  if (numbers === undefined) return null;
  const shown = (['waiting', 'failed'] as const).filter((state) => numbers[state] > 0);
  if (shown.length === 0) return null;
  return (
    <span className={styles.numbers}>
      {shown.map((state) => (
        <Link
          key={state}
          className={styles.number}
          data-state={state}
          to={`/app/automations/${view.automationId}/runs`}
          search={{ step: step.key, at: state }}
        >
          {t(`automations:numbers.${state}`, {
            count: numbers[state],
            shown: numbers[state].toLocaleString(i18n.language),
          })}
        </Link>
      ))}
    </span>
  );
}

/** How many contacts have passed a connection, with a link to them. Nobody passes an end. */
export function PassedNumber({
  place,
  to,
  view,
}: {
  readonly place: Place;
  readonly to: string;
  readonly view: StepsView;
}) {
  const { t, i18n } = useTranslation();
  const passed = view.numbers?.connections.find(
    ({ from, type, to: target }) => from === place.from && type === place.branch && target === to,
  )?.passed;
  if (passed === undefined || passed === 0) return null;
  const shown = passed.toLocaleString(i18n.language);
  return (
    <Link
      className={styles.passed}
      to={`/app/automations/${view.automationId}/runs`}
      search={{ step: to }}
      aria-label={t('automations:numbers.passed', { count: passed, shown, name: to })}
    >
      {shown}
    </Link>
  );
}
