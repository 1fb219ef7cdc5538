import { graphlib, layout } from '@dagrejs/dagre';
import {
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  getSmoothStepPath,
  Handle,
  Position,
  ReactFlow,
  useReactFlow,
  useStore,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { createContext, useContext, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  branchesOf,
  openPlaces,
  targetOf,
  type AutomationDraft,
  type DraftStep,
  type Place,
} from '../../logic/automation-draft';
import styles from './automations.module.css';
import { AddStep, BranchName, StepCard, type StepsView } from './step-card';
import { PassedNumber, StepNumbers } from './step-numbers';

interface StepCanvasProps {
  readonly draft: AutomationDraft;
  readonly view: StepsView;
}

type StepNode = Node<{ readonly step: DraftStep }, 'step'>;
type EndNode = Node<{ readonly place: Place }, 'end'>;
type WayEdge = Edge<{ readonly place: Place }, 'way'>;

/** Beside the nodes, which change with the draft alone: so counters that come do not lay out the graph again. */
const View = createContext<StepsView | undefined>(undefined);

const stepSize = { width: 248, height: 56 };
const endSize = { width: 24, height: 24 };
interface Size {
  readonly width: number;
  readonly height: number;
}

const firstViewHeight = 640;

/** The steps as a graph from top to bottom. Where each stands follows from the connections alone. */
export function StepCanvas({ draft, view }: StepCanvasProps) {
  const { t } = useTranslation();
  const { nodes, edges } = useMemo(() => graphOf(draft), [draft]);
  // A long automation begins at its top, in a size that can be read.
  const begin = useMemo(() => nodes.filter(({ position }) => position.y < firstViewHeight), [nodes]);
  return (
    <View value={view}>
      <div className={styles.canvas}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          panOnScroll
          fitView
          fitViewOptions={{ maxZoom: 1, padding: 0.2, nodes: begin }}
          minZoom={0.2}
          maxZoom={1.5}
          proOptions={{ hideAttribution: true }}
          ariaLabelConfig={{
            'controls.ariaLabel': t('automations:zoom.title'),
            'controls.zoomIn.ariaLabel': t('automations:zoom.in'),
            'controls.zoomOut.ariaLabel': t('automations:zoom.out'),
            'controls.fitView.ariaLabel': t('automations:zoom.fit'),
          }}
        >
          <KeepCentre />
          <ShowChosen step={view.chosen} />
          <Controls showInteractive={false} className={styles.controls} />
        </ReactFlow>
      </div>
    </View>
  );
}

/** What is in the middle stays there when the panel beside the canvas opens or closes. */
function KeepCentre() {
  const { getViewport, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const before = useRef(width);
  useEffect(() => {
    const difference = width - before.current;
    const isFirst = before.current === 0;
    before.current = width;
    if (isFirst || difference === 0) return;
    const { x, y, zoom } = getViewport();
    void setViewport({ x: x + difference / 2, y, zoom });
  }, [getViewport, setViewport, width]);
  return null;
}

/** Room that a chosen step has around it: the `+` below it is within reach. */
const margin = 96;

/** A step that is chosen or added outside of what is seen comes into view. */
function ShowChosen({ step }: { readonly step: string | undefined }) {
  const { getNode, getViewport, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    const node = step === undefined ? undefined : getNode(`step ${step}`);
    if (node === undefined || width === 0) return;
    const { x, y, zoom } = getViewport();
    const into = (at: number, size: number, shift: number, length: number): number => {
      const [from, to] = [at * zoom + shift, (at + size) * zoom + shift];
      return to + margin > length ? shift + length - margin - to : from < margin ? shift + margin - from : shift;
    };
    const shown = {
      x: into(node.position.x, stepSize.width, x, width),
      y: into(node.position.y, stepSize.height, y, height),
      zoom,
    };
    if (shown.x !== x || shown.y !== y) void setViewport(shown);
  }, [getNode, getViewport, height, setViewport, step, width]);
  return null;
}

const nodeTypes = { step: StepOnCanvas, end: EndOfWay };
const edgeTypes = { way: Way };

function StepOnCanvas({ data: { step } }: NodeProps<StepNode>) {
  const view = useContext(View);
  if (view === undefined) return null;
  return (
    <div style={stepSize} className={`nopan nodrag ${styles.node}`}>
      {step.type === 'trigger' ? null : <Handle type="target" position={Position.Top} className={styles.handle} />}
      <StepCard step={step} view={view} />
      <StepNumbers step={step} view={view} />
      <Handle type="source" position={Position.Bottom} className={styles.handle} />
    </div>
  );
}

function EndOfWay({ data: { place } }: NodeProps<EndNode>) {
  const view = useContext(View);
  if (view === undefined) return null;
  return (
    <div style={endSize} className={`nopan nodrag ${styles.node}`}>
      <Handle type="target" position={Position.Top} className={styles.handle} />
      {view.add === undefined ? <span className={styles.end} /> : <AddStep place={place} view={view} />}
    </div>
  );
}

function Way({ sourceX, sourceY, targetX, targetY, data, target }: EdgeProps<WayEdge>) {
  const [path, labelX, labelY] = getSmoothStepPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    borderRadius: 8,
    sourcePosition: Position.Bottom,
    targetPosition: Position.Top,
  });
  const view = useContext(View);
  if (data === undefined || view === undefined) return null;
  const { place } = data;
  const isOpen = target.startsWith('end ');
  // Beside the end of the line, where lines of two branches are apart.
  const at = place.branch === 'default' ? { x: labelX, y: labelY } : { x: targetX, y: targetY - 34 };
  return (
    <>
      <BaseEdge path={path} className={styles.edge} />
      <EdgeLabelRenderer>
        <div
          className={`nopan nodrag ${styles.edgeLabel}`}
          style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
        >
          <BranchName branch={place.branch} />
          {isOpen ? null : <PassedNumber place={place} to={target.slice('step '.length)} view={view} />}
          {isOpen ? null : <AddStep place={place} view={view} />}
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

function graphOf(draft: AutomationDraft): { nodes: (StepNode | EndNode)[]; edges: WayEdge[] } {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 76 });
  graph.setDefaultEdgeLabel(() => ({}));
  const edges: WayEdge[] = [];
  const connect = (place: Place, target: string): void => {
    const source = `step ${place.from}`;
    graph.setEdge(source, target);
    edges.push({ id: `${place.branch} ${source}`, source, target, type: 'way', data: { place } });
  };
  for (const { key } of draft.steps) graph.setNode(`step ${key}`, { ...stepSize });
  const ends = openPlaces(draft).map((place) => ({ id: endOf(place), place }));
  for (const { id } of ends) graph.setNode(id, { ...endSize });
  for (const { key, type } of draft.steps) {
    for (const branch of branchesOf(type)) {
      const place = { from: key, branch };
      const target = targetOf(draft, place);
      connect(place, target === undefined ? endOf(place) : `step ${target}`);
    }
  }
  // The order of the connections is kept: the main branch stands at the left.
  layout(graph, { disableOptimalOrderHeuristic: true });
  const positionOf = (id: string, { width, height }: Size) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { x: x - width / 2, y: y - height / 2 };
  };
  const steps = draft.steps.map((step): StepNode => {
    const id = `step ${step.key}`;
    return {
      id,
      type: 'step',
      position: positionOf(id, stepSize),
      data: { step },
      ...measuredAs(stepSize, step.type !== 'trigger'),
    };
  });
  const endNodes = ends.map(({ id, place }): EndNode => {
    return { id, type: 'end', position: positionOf(id, endSize), data: { place }, ...measuredAs(endSize, true) };
  });
  return { nodes: [...steps, ...endNodes], edges };
}

/** The library need not measure what is known. While it measures, it shows neither a node nor the lines to it. */
function measuredAs({ width, height }: Size, hasTarget: boolean): Pick<Node, 'measured' | 'handles'> {
  const handle = { x: width / 2, width: 1, height: 1 };
  const source = { ...handle, type: 'source' as const, position: Position.Bottom, y: height };
  const target = { ...handle, type: 'target' as const, position: Position.Top, y: 0 };
  return { measured: { width, height }, handles: hasTarget ? [source, target] : [source] };
}

function endOf({ from, branch }: Place): string {
  return `end ${branch} ${from}`;
}
