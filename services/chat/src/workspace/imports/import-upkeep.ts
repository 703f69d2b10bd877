import { Injectable } from '@nestjs/common';
import { every } from '@parley/platform/every';
import { jobScope } from '@parley/platform/mongo';
import { Uploads } from './uploads.ts';

const tidyMs = 15_000;
const jobs = jobScope('chats are imported');

/** Deletes uploads of imports that have ended or are too old. */
@Injectable()
export class ImportUpkeep {
  readonly upkeep = every('deletes uploads of chats', tidyMs, () => this.uploads.tidy(jobs));

  constructor(private readonly uploads: Uploads) {}
}
