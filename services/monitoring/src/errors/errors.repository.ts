import { Injectable } from '@nestjs/common';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { errorTestRows } from './error-test.collection.ts';
import { errorDropRows, errorGroupRows, errorSampleRows } from './error.collection.ts';

/** What the collector keeps. */
@Injectable()
export class ErrorsRepository {
  readonly groups: Rows<typeof errorGroupRows>;
  readonly samples: Rows<typeof errorSampleRows>;
  readonly drops: Rows<typeof errorDropRows>;
  readonly tests: Rows<typeof errorTestRows>;

  constructor(mongo: Mongo) {
    this.groups = mongo.rows(errorGroupRows);
    this.samples = mongo.rows(errorSampleRows);
    this.drops = mongo.rows(errorDropRows);
    this.tests = mongo.rows(errorTestRows);
  }
}
