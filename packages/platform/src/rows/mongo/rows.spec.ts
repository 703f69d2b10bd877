import { Mongo } from './index.ts';
import { describeRows } from './rows.spec-setup.ts';

describeRows('by the driver', (store) => Mongo.connect(store.freshDatabase()));
// A server has no link: there the driver is the only way.
if (process.env['MONGO_URL'] === undefined)
  describeRows("by the embedded store's own way", (store) =>
    Mongo.connect(store.freshDatabase(), { link: store.link! }),
  );
