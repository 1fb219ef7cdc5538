import { Global, Injectable, Module } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ProcessMetrics, togetherAsText } from './metrics-of-processes.js';

export interface GaugeOptions<Label extends string> {
  readonly labels?: readonly Label[];
  /** Sets the gauge when the metrics are collected. Without it, the owner sets the gauge on each change. */
  readonly read?: (gauge: Gauge<Label>) => void | Promise<void>;
  /** How the values of several processes are combined. `each`: every process has its own value. Default: `max`. */
  readonly across?: 'max' | 'min' | 'each';
}

/**
 * The Prometheus registry of the process. Names follow the Prometheus style: `postrider_<thing>_<unit>[_total]`. A
 * label has one of a few known values, never an id, an address or a domain, because their cardinality is unbounded.
 */
@Injectable()
export class Metrics {
  private readonly ofService = new Registry();
  private readonly ofProcess = new Registry();
  private others: (() => Promise<ReadonlyMap<string, ProcessMetrics>>) | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.ofProcess, prefix: 'postrider_' });
  }

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.ofService] });
  }

  gauge<Label extends string>(name: string, help: string, options: GaugeOptions<Label> = {}): Gauge<Label> {
    const { labels = [], read, across = 'max' } = options;
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [across === 'each' ? this.ofProcess : this.ofService],
      ...(across === 'each' ? {} : { aggregator: across }),
      ...(read === undefined ? {} : { collect: () => read(gauge) }),
    });
    return gauge;
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.ofService] });
  }

  /** Adds the metrics of other processes, by name, to every exposition. `others` must resolve quickly. */
  include(others: () => Promise<ReadonlyMap<string, ProcessMetrics>>): void {
    this.others = others;
  }

  /** The metrics of this process alone. */
  async read(): Promise<ProcessMetrics> {
    const [ofService, ofProcess] = await Promise.all([
      this.ofService.getMetricsAsJSON(),
      this.ofProcess.getMetricsAsJSON(),
    ]);
    return { ofService, ofProcess };
  }

  /** All metrics in the text format of Prometheus. */
  async exposition(): Promise<string> {
    if (this.others === undefined) return Registry.merge([this.ofService, this.ofProcess]).metrics();
    const [main, others] = await Promise.all([this.read(), this.others()]);
    return togetherAsText(new Map([['main', main], ...others]));
  }
}

/** Number of items per transaction, by writer. */
@Injectable()
export class GroupCommitMetrics {
  private readonly size: Histogram<'writer'>;

  constructor(metrics: Metrics) {
    const buckets = [1, 2, 4, 8, 16, 32, 64, 128, 256];
    this.size = metrics.histogram('postrider_group_commit_batch_size', 'Items of one transaction', buckets, ['writer']);
  }

  observe(writer: 'acceptance' | 'outcomes', items: number): void {
    this.size.observe({ writer }, items);
  }
}

@Global()
@Module({ providers: [Metrics, GroupCommitMetrics], exports: [Metrics, GroupCommitMetrics] })
export class MetricsModule {}
