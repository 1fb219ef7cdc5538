import { ActionIcon, Menu } from '@mantine/core';
import { Plus, TriangleAlert } from 'lucide-react';
import { Fragment, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { addableTypes, missingIn, type DraftStep, type Place } from '../../logic/automation-draft';
import { stepIcons } from './automation-looks';
import type { AutomationMetrics } from './automation-queries';
import styles from './automations.module.css';
import type { StepMove } from './step-moves';
import type { Trial } from './trial-panel';
import { useStepSummary } from './use-step-summary';

/** What the canvas and the list show of an automation, and what can be done there. */
export interface StepsView {
  readonly automationId: string;
  readonly chosen: string | undefined;
  readonly choose: (key: string) => void;
  /** Undefined for those who only read. */
  readonly add: ((place: Place, type: string) => void) | undefined;
  /** Moves the step that is dragged. Undefined for those who only read. */
  readonly move: StepMoves | undefined;
  /** The step that the server refused. */
  readonly refused: string | undefined;
  /** How many contacts went through. Undefined until they are counted. */
  readonly numbers: AutomationMetrics | undefined;
  /** The way of a contact that was tried. */
  readonly trial: Trial | undefined;
}

export interface StepMoves {
  readonly dragged: string | undefined;
  readonly drag: (key: string | undefined) => void;
  /** Whether the dragged step can be dropped there. */
  readonly fits: (place: Place) => boolean;
  readonly drop: (place: Place) => void;
  /** With the keyboard: one step up or down, and a copy behind it. */
  readonly byKey: (key: string, move: StepMove) => void;
}

const moveKeys: Readonly<Record<string, StepMove>> = {
  'alt ArrowUp': 'up',
  'alt ArrowDown': 'down',
  'mod d': 'copy',
  ' Delete': 'remove',
  ' Backspace': 'remove',
};

function moveOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): StepMove | undefined {
  return moveKeys[`${altKey ? 'alt' : ctrlKey || metaKey ? 'mod' : ''} ${key}`];
}

export function StepCard({ step, view }: { readonly step: DraftStep; readonly view: StepsView }) {
  const { t } = useTranslation();
  const summary = useStepSummary(step);
  const Icon = stepIcons[step.type];
  const isWrong = missingIn(step) !== undefined || view.refused === step.key;
  const { move } = view;
  const isDraggable = move !== undefined && step.type !== 'trigger';
  return (
    <button
      type="button"
      className={styles.card}
      data-type={step.type}
      data-wrong={isWrong || undefined}
      data-tried={view.trial?.steps.find(({ key }) => key === step.key)?.status}
      data-dragged={move?.dragged === step.key || undefined}
      aria-pressed={view.chosen === step.key}
      draggable={isDraggable}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', step.key);
        // The browser takes its picture of the card first.
        setTimeout(() => move?.drag(step.key));
      }}
      onDragEnd={() => move?.drag(undefined)}
      onKeyDown={(event) => {
        const wanted = moveOf(event);
        if (wanted === undefined || move === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move.byKey(step.key, wanted);
      }}
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
  const [isOver, setOver] = useState(false);
  const { add, move } = view;
  if (add === undefined) return null;
  const fits = move?.dragged !== undefined && move.fits(place);
  const name = place.from;
  const label =
    place.branch === 'default'
      ? t('automations:addAfter', { name })
      : t('automations:addAfterBranch', { name, branch: t(`automations:branch.${place.branch}`) });
  return (
    <Menu position="right-start" withinPortal>
      <Menu.Target>
        <ActionIcon
          className={styles.add}
          aria-label={label}
          variant="default"
          size={24}
          data-fits={fits || undefined}
          data-over={(fits && isOver) || undefined}
          onDragOver={(event) => {
            if (!fits) return;
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            move?.drop(place);
          }}
        >
          <Plus size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(addableTypes).map(([group, types]) => (
          <Fragment key={group}>
            <Menu.Label>{t(`automations:group.${group}`)}</Menu.Label>
            {types.map((type) => {
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
          </Fragment>
        ))}
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
