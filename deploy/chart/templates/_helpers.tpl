{{- define "platform.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "platform.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "platform.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "platform.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Not those of the service: its own Service must not find the registry. */}}
{{- define "platform.registrySelector" -}}
app.kubernetes.io/name: {{ printf "%s-registry" (default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-") }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "platform.registryLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "platform.registrySelector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Nor must it find a backup. */}}
{{- define "platform.backupLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: {{ printf "%s-backup" (default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-") }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "platform.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "platform.secretName" -}}
{{- default (include "platform.fullname" .) .Values.secret.existing -}}
{{- end -}}

{{/* The variables that are secrets, separated by spaces. */}}
{{- define "platform.secretKeys" -}}
{{- if .Values.secret.existing -}}
{{- join " " .Values.secret.keys -}}
{{- else -}}
{{- join " " (keys .Values.secret.values | sortAlpha) -}}
{{- end -}}
{{- end -}}

{{- define "platform.replicas" -}}
{{- if .Values.embedded.enabled }}1{{ else }}{{ .Values.replicaCount }}{{ end -}}
{{- end -}}

{{/* Reads secrets from files: a variable would be in the description of the pod's processes. */}}
{{- define "platform.env" -}}
- name: PUBLIC_URL
  value: {{ required "publicUrl is required: the https address that people use" .Values.publicUrl | quote }}
- name: TRUST_PROXY
  value: {{ hasKey .Values.settings "TRUST_PROXY" | ternary (toString .Values.settings.TRUST_PROXY) "1" | quote }}
{{- if .Values.metrics.enabled }}
- name: METRICS_HOST
  value: "0.0.0.0"
- name: METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- end }}
{{- $settings := omit .Values.settings "TRUST_PROXY" }}
{{- if .Values.registry.enabled }}
{{- $settings = omit $settings "REGISTRY_URL" "REGISTRY_HOST" }}
- name: REGISTRY_URL
  value: {{ printf "http://%s-registry:5000" (include "platform.fullname" .) | quote }}
- name: REGISTRY_HOST
  value: {{ .Values.registry.host | quote }}
{{- end }}
{{- range $name, $value := $settings }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- range $name := splitList " " (include "platform.secretKeys" .) }}
{{- if $name }}
- name: {{ $name }}_FILE
  value: /run/secrets/platform/{{ $name }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "platform.mounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if include "platform.secretKeys" . }}
- name: secrets
  mountPath: /run/secrets/platform
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "platform.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
