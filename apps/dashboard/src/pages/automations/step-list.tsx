import { useTranslation } from 'react-i18next';
import { branchesOf, targetOf, type AutomationDraft, type DraftStep, type Place } from '../../logic/automation-draft';
import styles from './automations.module.css';
import { AddStep, BranchName, StepCard, type StepsView } from './step-card';
import { StepNumbers } from './step-numbers';

interface StepListProps {
  readonly draft: AutomationDraft;
  readonly view: StepsView;
}

/** The steps below each other, with the branches indented: for the phone. */
export function StepList({ draft, view }: StepListProps) {
  const seen = new Set<string>();
  const triggers = draft.steps.filter(({ type }) => type === 'trigger');
  return (
    <div className={styles.listView}>
      {triggers.map((trigger) => (
        <Ways key={trigger.key} draft={draft} view={view} first={trigger} seen={seen} />
      ))}
    </div>
  );
}

function stepAt(draft: AutomationDraft, place: Place): DraftStep | undefined {
  const target = targetOf(draft, place);
  return draft.steps.find(({ key }) => key === target);
}

/** Steps from one on, until they branch. */
function Ways({ draft, view, first, seen }: StepListProps & { readonly first: DraftStep; readonly seen: Set<string> }) {
  const { t } = useTranslation();
  if (seen.has(first.key)) return <p className="quiet">{t('automations:goesOn', { name: first.key })}</p>;
  const line: DraftStep[] = [];
  for (let step: DraftStep | undefined = first; step !== undefined && !seen.has(step.key);) {
    seen.add(step.key);
    line.push(step);
    step = branchesOf(step.type).length > 1 ? undefined : stepAt(draft, { from: step.key, branch: 'default' });
  }
  const last = line.at(-1) ?? first;
  return (
    <ol className={styles.ways}>
      {line.map((step) => (
        <li key={step.key}>
          <StepCard step={step} view={view} />
          <StepNumbers step={step} view={view} />
          {branchesOf(step.type).length > 1 ? null : (
            <AddStep place={{ from: step.key, branch: 'default' }} view={view} />
          )}
        </li>
      ))}
      {branchesOf(last.type).length < 2
        ? null
        : branchesOf(last.type).map((branch) => {
            const target = stepAt(draft, { from: last.key, branch });
            return (
              <li key={branch} className={styles.way}>
                <BranchName branch={branch} />
                <AddStep place={{ from: last.key, branch }} view={view} />
                {target === undefined ? null : <Ways draft={draft} view={view} first={target} seen={seen} />}
              </li>
            );
          })}
    </ol>
  );
}
