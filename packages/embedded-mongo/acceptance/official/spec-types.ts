/** A plain document of a test file. */
export type Doc = { [name: string]: unknown };

export type Requirement = {
  minServerVersion?: string;
  maxServerVersion?: string;
  topologies?: string[];
  auth?: boolean;
  serverless?: string;
  csfle?: boolean;
};

export type Operation = {
  name: string;
  object: string;
  arguments?: Doc;
  expectError?: Doc;
  expectResult?: unknown;
  saveResultAsEntity?: string;
  /** Older formats: keys that the driver's result lacks are not compared. */
  isLenient?: boolean;
  collectionOptions?: Doc;
};

export type CollectionContent = { databaseName: string; collectionName: string; documents: Doc[] };

export type SpecCase = {
  description: string;
  skipReason?: string;
  runOnRequirements?: Requirement[];
  operations: Operation[];
  outcome?: CollectionContent[];
  /** Older formats: entities of this case alone. */
  createEntities?: Doc[];
};

/** A test file in the unified format. */
export type SpecFile = {
  group: string;
  name: string;
  description: string;
  createEntities?: Doc[];
  initialData?: CollectionContent[];
  runOnRequirements?: Requirement[];
  tests: SpecCase[];
};
