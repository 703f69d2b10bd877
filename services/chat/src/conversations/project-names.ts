import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@parley/contracts';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { fold } from '@parley/platform/text';
import type { Viewer } from './access.ts';
import { projectRows } from './project.collection.ts';

/** Compares names without quotes, because search operators can't contain quotes. */
const plain = (name: string): string =>
  fold(name)
    .replaceAll(/["“”„‟«»]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Finds a person's projects by their names. */
@Injectable()
export class ProjectNames {
  private readonly rows: Rows<typeof projectRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(projectRows);
  }

  /**
   * Returns all projects with this name that aren't deleted, including archived ones, in any case and with any accents.
   * Several projects can have the same name.
   */
  async named({ scope, principal }: Viewer, name: string): Promise<ProjectId[]> {
    const own = await this.rows
      .within(scope)
      .find({ ownerId: principal.userId, deletedAt: null }, { fields: ['name'] });
    return own.filter((project) => plain(project.name) === plain(name)).map(({ _id }) => _id);
  }
}
