import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';

/**
 * The id under which this process holds lanes and leases. It is new with every start, so that a process never inherits
 * leases.
 */
@Injectable()
export class WorkerIdentity {
  readonly id = newId();
}
