import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The process's Prometheus registry. Names follow the Prometheus style: `postrider_<thing>_<unit>[_total]`. A label takes
 * one of a handful of values known beforehand; never an id, an address or a domain, of which there is no end.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'postrider_' });
  }

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** `read` sets the gauge whenever it is asked for, instead of whoever changes it. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
    read?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
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
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }
}
