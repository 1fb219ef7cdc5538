import { ActionIcon, Menu } from '@mantine/core';
import { Plus, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addableTypes, missingIn, type DraftStep, type Place } from '../../logic/automation-draft';
import { stepIcons } from './automation-looks';
import styles from './automations.module.css';
import { useStepSummary } from './use-step-summary';

/** What the canvas and the list show of an automation, and what can be done there. */
export interface StepsView {
  readonly chosen: string | undefined;
  readonly choose: (key: string) => void;
  /** Undefined for those who only read. */
  readonly add: ((place: Place, type: string) => void) | undefined;
  /** The step that the server refused. */
  readonly refused: string | undefined;
}

export function StepCard({ step, view }: { readonly step: DraftStep; readonly view: StepsView }) {
  const { t } = useTranslation();
  const summary = useStepSummary(step);
  const Icon = stepIcons[step.type];
  const isWrong = missingIn(step) !== undefined || view.refused === step.key;
  return (
    <button
      type="button"
      className={styles.card}
      data-type={step.type}
      data-wrong={isWrong || undefined}
      aria-pressed={view.chosen === step.key}
      onClick={() => view.choose(step.key)}
    >
      <span className={styles.cardIcon}>{Icon === undefined ? null : <Icon size={16} aria-hidden />}</span>
      <span className={styles.cardText}>
        <span className="cut">{step.key}</span>
        <span className={`cut ${styles.cardSummary}`}>{isWrong ? t('automations:incomplete') : summary}</span>
      </span>
      {isWrong ? <TriangleAlert size={15} className={styles.wrong} aria-hidden /> : null}
    </button>
  );
}

/** The `+` at a place, which opens the menu of steps. */
export function AddStep({ place, view }: { readonly place: Place; readonly view: StepsView }) {
  const { t } = useTranslation();
  const { add } = view;
  if (add === undefined) return null;
  const name = place.from;
  const label =
    place.branch === 'default'
      ? t('automations:addAfter', { name })
      : t('automations:addAfterBranch', { name, branch: t(`automations:branch.${place.branch}`) });
  return (
    <Menu position="right-start" withinPortal>
      <Menu.Target>
        <ActionIcon className={styles.add} aria-label={label} variant="default" size={24}>
          <Plus size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {addableTypes.map((type) => {
          const Icon = stepIcons[type];
          return (
            <Menu.Item
              key={type}
              leftSection={Icon === undefined ? null : <Icon size={15} aria-hidden />}
              onClick={() => add(place, type)}
            >
              {t(`automations:type.${type}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

export function BranchName({ branch }: { readonly branch: string }) {
  const { t } = useTranslation();
  if (branch === 'default') return null;
  return (
    <span className={styles.branch} data-main={branch === 'condition_met' || branch === 'event_received' || undefined}>
      {t(`automations:branch.${branch}`)}
    </span>
  );
}
