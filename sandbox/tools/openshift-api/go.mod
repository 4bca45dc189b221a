// OpenShift's API, pinned: only its CustomResourceDefinition manifests are read, nothing is built.
module ha-compliance/sandbox/tools/openshift-api

go 1.26.0

require github.com/openshift/api v0.0.0-20251125174858-5cf710f68a92
