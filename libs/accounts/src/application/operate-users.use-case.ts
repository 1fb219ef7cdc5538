import { checkDisplayName, Clock, DomainError, found, Page, PageRequest, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkPassword, parseUserAddress } from '../domain/invitation.js';
import { NewUsers } from './new-users.js';
import { ListedUser, Users } from './ports/users.port.js';

export class LastOperatorError extends DomainError {
  constructor() {
    super(
      'conflict',
      'last_operator',
      'An installation has at least one operator. Make somebody else an operator first.',
    );
  }
}

/** What the operator does with users. */
@Injectable()
export class OperateUsers {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly users: Users,
    private readonly newUsers: NewUsers,
    private readonly clock: Clock,
  ) {}

  list(page: PageRequest): Promise<Page<ListedUser>> {
    return this.users.list(page);
  }

  async find(id: string): Promise<ListedUser> {
    return found('User', await this.users.find(id));
  }

  /** The address counts as verified by the operator's word. */
  async create(user: { readonly email: string; readonly name: string; readonly password: string }): Promise<string> {
    checkDisplayName(user.name);
    checkPassword(user.password);
    return this.newUsers.create({ ...user, email: parseUserAddress(user.email) });
  }

  async setOperator(id: string, isOperator: boolean): Promise<void> {
    const user = await this.find(id);
    if (user.isOperator === isOperator) return;
    if (!isOperator) {
      if (!(await this.users.removeOperator(id))) throw new LastOperatorError();
      return;
    }
    await this.unitOfWork.run((transaction) => this.users.addOperator(id, this.clock.now(), transaction));
  }
}
