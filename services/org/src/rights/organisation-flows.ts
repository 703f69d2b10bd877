import { Injectable } from '@nestjs/common';
import { flowChanged } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem, type DataOf, type UserId } from '@parley/protocol';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';
import { People, type Origin } from './people.ts';
import { forGood, flowOf, type FlowFields, type FlowId } from './flow.ts';

const inviting = jobScope('whose flow the organisation uses that invited a creator');

/** Decides whose turns and limits organisations share (ADR 0031), and publishes it. */
@Injectable()
export class OrganisationFlows {
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly people: People,
    private readonly clock: Clock,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  /** Returns the flow of what this person creates; null where auth is of an earlier version and doesn't say. */
  async ofCreator(userId: UserId): Promise<FlowFields | null> {
    const origin = await this.people.find(userId).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'platform.not-found') return nobody;
      throw error;
    });
    return this.ofOrigin(userId, origin);
  }

  /** The same of a person whom auth was asked for. */
  async ofOrigin(userId: UserId, { invitedBy, sameNetworkAs }: Origin): Promise<FlowFields | null> {
    if (sameNetworkAs === undefined) return null;
    const invited = invitedBy && (await this.organisations.within(inviting.in(invitedBy)).findById(invitedBy));
    if (invited) return this.inherited(invited);
    if (sameNetworkAs === null) return forGood(userId);
    return { flow: sameNetworkAs.userId, flowUntil: new Date(sameNetworkAs.until), flowAfter: userId };
  }

  /** Publishes the flow of an organisation, unless it is what was published before; of a new one that is its own id. */
  publish(tx: Transaction, row: OrganisationRow, before: FlowId, act?: DataOf<typeof flowChanged>['act']): void {
    const { _id: orgId, rightsVersion } = row;
    const flow = flowOf(row);
    if (flow !== before) tx.record(flowChanged, { orgId, flow, rightsVersion, ...(act && { act }) });
  }

  /** An invited person uses the flow of the organisation that invited them, for as long as that one has it. */
  private inherited(row: OrganisationRow): FlowFields {
    const { flowUntil = null, flowAfter = null } = row;
    if (flowUntil === null || flowAfter === null) return forGood(flowOf(row));
    if (flowUntil <= this.clock.now()) return forGood(flowAfter);
    return { flow: flowOf(row), flowUntil, flowAfter };
  }
}

/** The account was deleted. */
const nobody: Origin = { invitedBy: null, sameNetworkAs: null };
