import { useRef, useState, type PointerEvent, type ReactNode } from 'react';
import styles from './charts.module.css';

interface BrushProps {
  /** How many periods are drawn from left to right. */
  readonly count: number;
  /** Bars have a width of their own; points of a line are at the ends of the steps. */
  readonly kind: 'bars' | 'points';
  /** From which period to which it was dragged, both within. */
  readonly choose: (first: number, last: number) => void;
  readonly children: ReactNode;
}

interface Drag {
  readonly plot: DOMRect;
  readonly box: DOMRect;
  readonly from: number;
  readonly to: number;
}

/** Less is the tremble of a click. */
const minDragPx = 8;

/** Dragging over a chart chooses a span of time. Its keyboard twin is the form of `<SpanPicker>`. */
export function Brush({ count, kind, choose, children }: BrushProps) {
  const root = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const wasDrag = useRef(false);
  const isDrag = drag !== undefined && Math.abs(drag.to - drag.from) >= minDragPx;

  const begin = (event: PointerEvent): void => {
    wasDrag.current = false;
    const plot = root.current?.querySelector('.recharts-cartesian-grid')?.getBoundingClientRect();
    const box = root.current?.getBoundingClientRect();
    // A finger scrolls the page.
    if (event.button !== 0 || event.pointerType === 'touch' || plot === undefined || box === undefined) return;
    const isInside = event.clientX >= plot.left && event.clientX <= plot.right && event.clientY <= plot.bottom;
    if (isInside) setDrag({ plot, box, from: event.clientX, to: event.clientX });
  };
  const move = (event: PointerEvent): void => {
    if (drag === undefined) return;
    const to = Math.min(drag.plot.right, Math.max(drag.plot.left, event.clientX));
    if (!isDrag && Math.abs(to - drag.from) >= minDragPx) root.current?.setPointerCapture(event.pointerId);
    setDrag({ ...drag, to });
  };
  const end = (): void => {
    if (isDrag) {
      wasDrag.current = true;
      const [left, right] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      choose(indexAt(left, drag.plot, count, kind), indexAt(right - 1, drag.plot, count, kind));
    }
    setDrag(undefined);
  };
  return (
    <div
      ref={root}
      className={styles.brush}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
      onClickCapture={(event) => {
        if (wasDrag.current) event.stopPropagation();
        wasDrag.current = false;
      }}
    >
      {children}
      {isDrag ? (
        <span
          className={styles.brushed}
          style={{
            left: Math.min(drag.from, drag.to) - drag.box.left,
            width: Math.abs(drag.to - drag.from),
            top: drag.plot.top - drag.box.top,
            height: drag.plot.height,
          }}
        />
      ) : null}
    </div>
  );
}

function indexAt(x: number, plot: DOMRect, count: number, kind: 'bars' | 'points'): number {
  const share = (x - plot.left) / plot.width;
  const index = kind === 'bars' ? Math.floor(share * count) : Math.round(share * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}
