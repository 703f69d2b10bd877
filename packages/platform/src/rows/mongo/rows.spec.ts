import { Mongo } from './index.ts';
import { describeRows } from './rows.spec-setup.ts';

describeRows("by the embedded store's own way", (store) => Mongo.connect(store.freshDatabase(), { link: store.link }));
describeRows('by the driver', (store) => Mongo.connect(store.freshDatabase()));
