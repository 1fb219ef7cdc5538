import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';

/** The name under which this process holds lanes and leases. New with every start: a process never inherits from itself. */
@Injectable()
export class WorkerIdentity {
  readonly id = newId();
}
